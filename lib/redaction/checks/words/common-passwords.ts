/** Words of letters only that are so common as passwords that they count as one wherever a password may be. */
const COMMON = new Set(
  `letmein qwerty qwertz azerty qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm iloveyou trustno monkey dragon sunshine princess football baseball
  basketball superman batman master shadow michael jennifer jordan hunter ranger thomas robert daniel andrew joshua ashley charlie donald
  freedom starwars pokemon cheese chocolate killer pepper ginger summer winter flower
  hello hellothere welcome letmeinnow opensesame sesame abcdef abcdefg abcdefgh abcabc aaaaaa supersecret topsecret
  hunterhunter iloveu lovely loveme nicole jessica matthew mustang corvette ferrari porsche yankees dallas arsenal liverpool chelsea
  barcelona juventus administrator toor alpine raspberry calvin changethis correcthorse correcthorsebatterystaple swordfish`.split(
    /\s+/,
  ),
);

/** Returns whether a text without digits is a common password. */
export function isCommonPassword(text: string): boolean {
  return COMMON.has(text.toLowerCase());
}
