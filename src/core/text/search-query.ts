import type { SearchQuery } from '#src/ports/search.ts'

/** How many words are looked for at most, those of phrases included. */
export const mostWords = 16

const quoted = /["“”„«»]/
const word = /[\p{L}\p{N}\p{M}_]+/gu
const holdsLetter = /[\p{L}\p{N}]/u

/**
 * A query from typed text: words, and phrases in double quotes. Everything else only separates words,
 * also operators of query languages, so any text is a valid query; one without a word finds nothing.
 * English stop words are left out if other words remain.
 */
export function parseQuery(text: string, mode: SearchQuery['mode'] = 'all'): SearchQuery {
  const words: string[] = []
  const phrases: string[][] = []
  // Every other piece was in quotes; the last one only if its quote was closed.
  const pieces = text.normalize('NFKC').split(quoted)
  for (const [position, piece] of pieces.entries()) {
    const found = wordsOf(piece)
    const isPhrase = position % 2 === 1 && position < pieces.length - 1 && found.length > 1
    if (isPhrase) phrases.push(found)
    else words.push(...found)
  }
  return bounded(telling([...new Set(words)], phrases.length > 0), phrases, mode)
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(word) ?? []).filter((one) => holdsLetter.test(one))
}

function telling(words: string[], hasPhrases: boolean): string[] {
  const kept = words.filter((one) => !stopWords.has(one))
  return kept.length > 0 || hasPhrases ? kept : words
}

/** The first words that fit, phrases before single words. */
function bounded(words: string[], phrases: string[][], mode: SearchQuery['mode']): SearchQuery {
  let room = mostWords
  const kept: string[][] = []
  for (const phrase of phrases) {
    // A cut phrase is still one while it has two words.
    if (room < 2) break
    kept.push(phrase.slice(0, room))
    room -= phrase.length
  }
  return { words: words.slice(0, Math.max(0, room)), phrases: kept, mode }
}

// The Snowball list, which text indexes leave out too, and the rests of contractions.
const stopWords: ReadonlySet<string> = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she
  her hers herself it its itself they them their theirs themselves what which who whom this that
  these those am is are was were be been being have has had having do does did doing a an the and
  but if or because as until while of at by for with about against between into through during
  before after above below to from up down in out on off over under again further then once here
  there when where why how all any both each few more most other some such no nor not only own same
  so than too very s t can will just don should now ll re ve isn aren wasn weren doesn didn hasn
  haven hadn couldn shouldn wouldn`.split(/\s+/),
)
