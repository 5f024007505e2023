const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
/** The first two digits: provinces, municipalities, Taiwan, Hong Kong, Macao, abroad. */
const REGIONS = /^(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3]|91)/;

/** Returns whether 18 characters are an identity number of the People's Republic of China: region, date of birth, check character. */
export function chineseId(text: string): boolean {
  if (!/^\d{17}[\dXx]$/.test(text) || !REGIONS.test(text)) return false;
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  return isDay(text.slice(6, 14)) && '10X98765432'[sum % 11] === text[17]?.toUpperCase();
}

function isDay(digits: string): boolean {
  const [year, month, day] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)].map(Number) as [
    number,
    number,
    number,
  ];
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1900 && year < 2100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
