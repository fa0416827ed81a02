CREATE TABLE conversation (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, conversation TEXT, endpoint TEXT, tool TEXT,
    state TEXT NOT NULL, due_ms INTEGER, doc TEXT NOT NULL
) STRICT;
CREATE TABLE endpoint (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, conversation TEXT, endpoint TEXT, tool TEXT,
    state TEXT NOT NULL, due_ms INTEGER, doc TEXT NOT NULL
) STRICT;
CREATE TABLE secret (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE REFERENCES endpoint(id) DEFERRABLE INITIALLY DEFERRED,
    conversation TEXT, endpoint TEXT, tool TEXT, state TEXT NOT NULL, due_ms INTEGER, doc TEXT NOT NULL
) STRICT;
CREATE TABLE entry (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, conversation TEXT NOT NULL REFERENCES conversation(id),
    endpoint TEXT, tool TEXT, state TEXT NOT NULL, due_ms INTEGER, doc TEXT NOT NULL
) STRICT;
CREATE TABLE turn (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, conversation TEXT NOT NULL REFERENCES conversation(id),
    endpoint TEXT, tool TEXT, state TEXT NOT NULL, due_ms INTEGER, doc TEXT NOT NULL
) STRICT;
CREATE TABLE call (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, conversation TEXT REFERENCES conversation(id),
    endpoint TEXT, tool TEXT, state TEXT NOT NULL, due_ms INTEGER, doc TEXT NOT NULL
) STRICT;
CREATE TABLE approval (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, conversation TEXT NOT NULL REFERENCES conversation(id),
    endpoint TEXT, tool TEXT, state TEXT NOT NULL, due_ms INTEGER, doc TEXT NOT NULL
) STRICT;
CREATE TABLE run (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, conversation TEXT NOT NULL REFERENCES conversation(id),
    endpoint TEXT, tool TEXT, state TEXT NOT NULL, due_ms INTEGER, doc TEXT NOT NULL
) STRICT;
CREATE TABLE report (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, conversation TEXT REFERENCES conversation(id),
    endpoint TEXT, tool TEXT, state TEXT NOT NULL, due_ms INTEGER, doc TEXT NOT NULL
) STRICT;
CREATE TABLE alert (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, conversation TEXT REFERENCES conversation(id),
    endpoint TEXT, tool TEXT, state TEXT NOT NULL, due_ms INTEGER, doc TEXT NOT NULL
) STRICT;
CREATE TABLE log (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, conversation TEXT REFERENCES conversation(id),
    endpoint TEXT, tool TEXT, state TEXT NOT NULL, due_ms INTEGER, doc TEXT NOT NULL
) STRICT;
CREATE TABLE setting (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, conversation TEXT, endpoint TEXT, tool TEXT,
    state TEXT NOT NULL, due_ms INTEGER, doc TEXT NOT NULL
) STRICT;

CREATE INDEX entry_conversation ON entry(conversation, seq);
CREATE INDEX turn_waiting ON turn(state) WHERE state = 'waiting';
CREATE INDEX call_conversation ON call(conversation, seq);
CREATE INDEX call_sent ON call(state) WHERE state = 'sent';
CREATE INDEX approval_conversation ON approval(conversation, state);
CREATE INDEX approval_due ON approval(due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX approval_state ON approval(state, seq);
CREATE INDEX run_conversation ON run(conversation, state);
CREATE INDEX run_due ON run(due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX report_waiting ON report(state) WHERE state = 'waiting';
CREATE INDEX log_type ON log(state, seq);
CREATE INDEX log_conversation ON log(conversation, seq);
CREATE INDEX log_tool ON log(tool, seq);
