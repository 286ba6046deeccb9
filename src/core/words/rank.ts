import * as z from 'zod'
import { documentedAs } from '../schema.ts'
import type { OperationFacts } from '../operation-facts.ts'
import { stem, stemsOf, tells, wordsOf } from '../text/stems.ts'
import { otherNamesOf } from './other-names.ts'
import { variantsOf } from './variants.ts'

/**
 * Where a word of an operation stands, how much it tells there, and how much a long text there tells less
 * for each of its words.
 */
const fields = {
  name: { weight: 9, dilution: 0.6 },
  summary: { weight: 3, dilution: 0.5 },
  use: { weight: 1.5, dilution: 0.5 },
  members: { weight: 1, dilution: 0.3 },
  description: { weight: 0.7, dilution: 0.7 },
} as const
type Field = keyof typeof fields

/** How soon more of the same word tells nothing more. */
const saturation = 3
/** A synonym tells less than the word itself, and less still where the interface has the word. */
const synonymWeight = { ofUnknown: 0.7, ofKnown: 0.5 }

/** What most callers need comes before the rest. */
const coreWeight = 1.12

/** What an alias tells that is all of a wish; one that is a part of it tells less. */
const aliasWeight = 8

/** What is said of other tools is about them. */
const nameOfTool = /\b[a-z]+(?:_[a-z]+)+\b/g

/** What is said with almost every wish. */
const faint: ReadonlySet<string> = new Set(['get', 'make', 'api'])

/** Names whose first word stands for several: an app of agents is not an agent. */
const wholeNames: Readonly<Record<string, string>> = {
  agent_apps: 'app',
  agent_claim: 'claim',
  api_keys: 'key',
  public: 'published',
}

/** The operations of a catalog by their words. */
interface Index {
  /** How much each operation that has it says of a stem, by the stem. */
  found: ReadonlyMap<string, ReadonlyMap<OperationFacts, number>>
  /** By the stems of a whole wish, the operation that it is another name of. */
  wholes: ReadonlyMap<string, OperationFacts>
  aliases: readonly { op: OperationFacts; stems: readonly string[] }[]
  size: number
}

const indexes = new WeakMap<readonly OperationFacts[], Index>()

/**
 * The operations that the words of a text may mean, the best first, each with its score. BM25 over fields:
 * a rare word counts more than one that many operations have, and a word with its synonyms counts once.
 */
export function ranked(
  catalog: readonly OperationFacts[],
  text: string,
): readonly { op: OperationFacts; score: number }[] {
  const index = indexOf(catalog)
  const scores = new Map<OperationFacts, number>()
  const sought = stemsOf(text)
  const add = (op: OperationFacts, score: number): void => {
    scores.set(op, (scores.get(op) ?? 0) + score)
  }
  const isTelling = tells(text)
  for (const word of sought) {
    for (const [op, score] of scoresOf(word, index)) {
      // Any text may have a word that says nothing; a name has it for a reason.
      if (isTelling || isNamed(op, word)) add(op, score)
    }
  }
  const named = index.wholes.get(wholeOf(sought))
  if (named) add(named, aliasWeight)
  for (const { op, stems } of index.aliases) {
    if (stems.every((one) => sought.includes(one))) {
      add(op, aliasWeight * (stems.length / sought.length) ** 2)
    }
  }
  return catalog
    .map((op) => ({
      op,
      score: (scores.get(op) ?? 0) * (op.toolsets.includes('core') ? coreWeight : 1),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
}

/** The same for the same stems in any order. */
function wholeOf(stems: readonly string[]): string {
  return stems.toSorted().join(' ')
}

function isNamed({ name }: OperationFacts, stemmedWord: string): boolean {
  return stemmed(name).includes(stemmedWord)
}

/** What one word, with its synonyms, adds to each operation. */
function scoresOf(word: string, { found, size }: Index): ReadonlyMap<OperationFacts, number> {
  const said = new Map<OperationFacts, number>()
  const add = (stemmed: string, weight: number): void => {
    for (const [op, much] of found.get(stemmed) ?? []) {
      said.set(op, Math.max(said.get(op) ?? 0, weight * much))
    }
  }
  add(word, 1)
  const own = said.size
  const weight = own > 0 ? synonymWeight.ofKnown : synonymWeight.ofUnknown
  for (const synonym of variantsOf(word)) add(synonym, weight)
  // A word that no operation has is as rare as its synonyms are together.
  const rarity = Math.log(1 + (size + 0.5) / ((own > 0 ? own : said.size) + 0.5))
  const most = faint.has(word) ? rarity / 3 : rarity
  return new Map([...said].map(([op, much]) => [op, (most * much) / (saturation + much)]))
}

function indexOf(catalog: readonly OperationFacts[]): Index {
  const known = indexes.get(catalog)
  if (known) return known
  const texts = catalog.map((op) => [op, textsOf(op)] as const)
  const lengths = averages(texts.map(([, stems]) => stems))
  const found = new Map<string, Map<OperationFacts, number>>()
  for (const [op, stems] of texts) {
    for (const [field, { weight, dilution }] of entriesOf(fields)) {
      const length = stems[field].length / lengths[field]
      const each = weight / (1 - dilution + dilution * length)
      for (const one of stems[field]) {
        const counts = found.get(one) ?? new Map<OperationFacts, number>()
        counts.set(op, (counts.get(op) ?? 0) + each)
        found.set(one, counts)
      }
    }
  }
  const aliases = catalog.flatMap((op) =>
    (op.aliases ?? []).map((alias) => ({ op, stems: stemsOf(alias) })),
  )
  const wholes = new Map(
    catalog.flatMap((op) =>
      otherNamesOf(op.name).map((name) => [wholeOf(stemsOf(name)), op] as const),
    ),
  )
  const index = { found, aliases, wholes, size: catalog.length }
  indexes.set(catalog, index)
  return index
}

function textsOf(op: OperationFacts): Record<Field, readonly string[]> {
  const [first = '', ...rest] = op.name.split('.')
  const members = op.document ? memberNames(op.input.shape[op.document]) : []
  return {
    name: stemmed([wholeNames[first] ?? first, ...rest].join(' ')),
    summary: stemmed(op.summary),
    use: stemmed((op.use ?? '').replaceAll(nameOfTool, '')),
    members: [...new Set(stemmed([...Object.keys(op.input.shape), ...members].join(' ')))],
    description: stemmed(op.description ?? ''),
  }
}

function stemmed(text: string): string[] {
  return wordsOf(text).map(stem)
}

/** The names of a document's members, as it is documented. */
function memberNames(schema: z.core.$ZodType | undefined): string[] {
  const shown = schema && (documentedAs.get(schema)?.schema ?? schema)
  return shown instanceof z.ZodObject ? Object.keys(shown.shape) : []
}

function averages(texts: readonly Record<Field, readonly string[]>[]): Record<Field, number> {
  const average = (field: Field): number =>
    Math.max(1, texts.reduce((sum, stems) => sum + stems[field].length, 0) / texts.length)
  return {
    name: average('name'),
    summary: average('summary'),
    use: average('use'),
    members: average('members'),
    description: average('description'),
  }
}

function entriesOf<K extends string, V>(record: Readonly<Record<K, V>>): [K, V][] {
  // The keys of a literal are those of its type.
  return Object.entries(record) as [K, V][]
}
