package extract

// Names of what rows of the table say, for documentation.
