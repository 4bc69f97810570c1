"""What the store is made of: the database, its tables, and the replies of models."""
