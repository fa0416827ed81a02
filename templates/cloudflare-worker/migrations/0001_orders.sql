CREATE TABLE orders (
    number   TEXT PRIMARY KEY,
    customer TEXT NOT NULL,
    status   TEXT NOT NULL,
    -- What was paid.
    cents    INTEGER NOT NULL
);

CREATE TABLE refunds (
    -- The id of the call that gave the money back, so that none does it twice.
    call   TEXT PRIMARY KEY,
    number TEXT NOT NULL REFERENCES orders (number),
    cents  INTEGER NOT NULL CHECK (cents > 0)
);

CREATE INDEX refunds_of_an_order ON refunds (number);

-- Orders, with what can still be given back.
CREATE VIEW balances AS
SELECT number, customer, status,
       cents - coalesce((SELECT sum(cents) FROM refunds WHERE refunds.number = orders.number), 0) AS left_cents
FROM orders;
