//! What a trained model can do: solve, explain, complete and imagine puzzles;
//! and the judge, which reads what was drawn without the model's eyes.
