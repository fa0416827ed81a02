-- One order, of the customer `user_1`, for a database on your own machine.
INSERT OR IGNORE INTO orders (number, customer, status, cents) VALUES ('ORD-1042', 'user_1', 'shipped', 4990);
