/**
 * Porter's stemmer (M. F. Porter, An algorithm for suffix stripping, 1980), as in SQLite's FTS5, so
 * that both stores treat the same word forms as equal. Words are in lower case.
 */
export function stem(word: string): string {
  if (word.length < 3 || word.length > 64) return word
  let stemmed = withoutPlural(word)
  stemmed = withoutPast(stemmed)
  if (stemmed.endsWith('y') && hasVowel(stemmed.slice(0, -1))) stemmed = `${stemmed.slice(0, -1)}i`
  stemmed = replaced(stemmed, longSuffixes, 0)
  stemmed = replaced(stemmed, shortSuffixes, 0)
  stemmed = withoutLast(stemmed)
  return withoutE(stemmed)
}

/** Each letter as a vowel or a consonant; `y` after a consonant is a vowel. */
function shape(word: string): string {
  let form = ''
  for (const letter of word) {
    const isVowel = 'aeiou'.includes(letter) || (letter === 'y' && form.endsWith('c'))
    form += isVowel ? 'v' : 'c'
  }
  return form
}

/** How often a vowel is followed by a consonant. */
function measure(word: string): number {
  return shape(word).match(/v+c/g)?.length ?? 0
}

function hasVowel(word: string): boolean {
  return shape(word).includes('v')
}

/** Ends like `hop`: consonant, vowel, consonant, and the last is not w, x or y. */
function endsShort(word: string): boolean {
  return shape(word).endsWith('cvc') && !/[wxy]$/.test(word)
}

function withoutPlural(word: string): string {
  if (/.(ss|i)es$/.test(word)) return word.slice(0, -2)
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

function withoutPast(word: string): string {
  if (/.eed$/.test(word)) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const ending = /(ed|ing)$/.exec(word)?.[0]
  if (!ending) return word
  const rest = word.slice(0, -ending.length)
  if (!hasVowel(rest)) return word
  if (/(at|bl|iz)$/.test(rest)) return `${rest}e`
  if (/([^aeioulsz])\1$/.test(rest)) return rest.slice(0, -1)
  return measure(rest) === 1 && endsShort(rest) ? `${rest}e` : rest
}

/** The first matching ending decides, whether or not the rest is long enough. */
function replaced(
  word: string,
  suffixes: readonly (readonly [string, string])[],
  more: number,
): string {
  for (const [suffix, by] of suffixes) {
    if (!word.endsWith(suffix)) continue
    const rest = word.slice(0, -suffix.length)
    return measure(rest) > more ? rest + by : word
  }
  return word
}

const longSuffixes = pairs(
  `ational=ate tional=tion enci=ence anci=ance izer=ize logi=log bli=ble alli=al entli=ent eli=e
  ousli=ous ization=ize ation=ate ator=ate alism=al iveness=ive fulness=ful ousness=ous aliti=al
  iviti=ive biliti=ble`,
)

const shortSuffixes = pairs('icate=ic ative= alize=al iciti=ic ical=ic ful= ness=')

const lastSuffixes = pairs(
  `al= ance= ence= er= ic= able= ible= ant= ement= ment= ent= ion= ou= ism= ate= iti= ous= ive=
  ize=`,
)

function pairs(text: string): (readonly [string, string])[] {
  return text.split(/\s+/).map((pair) => {
    const [suffix = '', by = ''] = pair.split('=')
    return [suffix, by] as const
  })
}

function withoutLast(word: string): string {
  const isLoose = word.endsWith('ion') && !/[st]ion$/.test(word)
  return isLoose ? word : replaced(word, lastSuffixes, 1)
}

function withoutE(word: string): string {
  let rest = word
  if (word.endsWith('e')) {
    const short = word.slice(0, -1)
    const size = measure(short)
    if (size > 1 || (size === 1 && !endsShort(short))) rest = short
  }
  return rest.endsWith('ll') && measure(rest.slice(0, -1)) > 1 ? rest.slice(0, -1) : rest
}
