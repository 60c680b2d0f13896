//! Pictures for people: clean vector drawings and contact sheets.
