/** How many different words there are. */
const vocabulary = 20_000
const syllables = [
  'ka',
  'lo',
  'mi',
  'ren',
  'so',
  'tu',
  'vel',
  'qui',
  'dra',
  'pol',
  'ne',
  'zi',
] as const

/** A generator of numbers below 1, the same for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function word(rank: number): string {
  let rest = rank + syllables.length
  let text = ''
  for (; rest > 0; rest = Math.floor(rest / syllables.length)) {
    text += syllables[rest % syllables.length] ?? ''
  }
  return text
}

const words = Array.from({ length: vocabulary }, (_, rank) => word(rank))

/** A word as language uses them: the second half as often as the first, and so on. */
function drawn(random: () => number): string {
  const rank = Math.floor(Math.exp(random() * Math.log(vocabulary))) - 1
  return words[rank] ?? ''
}

/** Text of about so many bytes, the same for the same seed. */
export function prose(seed: number, bytes: number): string {
  const random = numbers(seed + 1)
  let text = drawn(random)
  while (text.length < bytes) text += ` ${drawn(random)}`
  return text
}

/** A fixed set of queries of one to three words, common and rare ones. */
export function queriesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => {
    const random = numbers(9_000_000 + n)
    return Array.from({ length: (n % 3) + 1 }, () => drawn(random)).join(' ')
  })
}
