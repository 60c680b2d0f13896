//! How far one gets without looking at the question.

/// The choices that agree most with the others, as one would vote who never saw the question.
/// `agreement` says in how many attributes the first of two choices agrees with the second.
/// Usually one; several where they tie.
pub fn majority(choices: usize, agreement: impl Fn(usize, usize) -> usize) -> Vec<usize> {
    let votes = votes(choices, agreement);
    having(&votes, votes.iter().max())
}

/// The choices that agree least with the others.
pub fn minority(choices: usize, agreement: impl Fn(usize, usize) -> usize) -> Vec<usize> {
    let votes = votes(choices, agreement);
    having(&votes, votes.iter().min())
}

/// The chance that one of the voted choices, taken at random, is the answer.
pub fn vote_chance(vote: &[usize], target: usize) -> f64 {
    if vote.contains(&target) { 1.0 / vote.len() as f64 } else { 0.0 }
}

/// In how many attributes each choice agrees with another one, itself included.
fn votes(choices: usize, agreement: impl Fn(usize, usize) -> usize) -> Vec<usize> {
    (0..choices).map(|own| (0..choices).map(|other| agreement(own, other)).sum()).collect()
}

fn having(votes: &[usize], wanted: Option<&usize>) -> Vec<usize> {
    (0..votes.len()).filter(|&choice| votes.get(choice) == wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_vote() {
        let values = [3, 3, 5, 5, 7];
        let agreement = |a: usize, b: usize| usize::from(values[a] == values[b]);
        assert_eq!(majority(5, agreement), [0, 1, 2, 3]);
        assert_eq!(minority(5, agreement), [4]);
        assert_eq!(vote_chance(&majority(5, agreement), 2), 0.25);
        assert_eq!(vote_chance(&majority(5, agreement), 4), 0.0);
    }
}
