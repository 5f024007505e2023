/**
 * The confidence of a finding. `format`: the prefix, shape or check digits prove it, or it is configured. `assigned`: a name for secrets has a value that
 * looks like no name, word or expression. `guessed`: only the surroundings suggest a secret.
 */
export type Confidence = (typeof confidences)[number];

/** From the highest confidence to the lowest. The place of each is its level. */
export const confidences = ['format', 'assigned', 'guessed'] as const;
