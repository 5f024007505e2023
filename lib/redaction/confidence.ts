/**
 * How sure a finding is. `format`: the value proves what it is, by its prefix, shape or check digits, or somebody configured it. `assigned`: a name
 * for secrets has a value that no name, word or expression looks like. `guessed`: only the surroundings suggest a secret.
 */
export type Confidence = (typeof confidences)[number];

/** From the surest to the least sure. The place of each is its level. */
export const confidences = ['format', 'assigned', 'guessed'] as const;
