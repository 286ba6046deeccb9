import type { CharacterInput } from '../character.ts'
import { parted } from '../copies/bulk.ts'
import { Refusal } from '#src/core/errors.ts'
import { isMap } from '#src/core/maps.ts'
import type { Warning } from '#src/core/schema.ts'
import { pointerStep, pointerTo } from '#src/core/text/text.ts'
import type { Draft } from '../copies/copyist.ts'
import { agentOfCard as agentOfAgentCard } from './agent-card.ts'
import { agentOfCard } from './card.ts'
import { cleaned } from './clean.ts'
import { agentOfEliza } from './eliza.ts'
import { fitted } from './fit.ts'
import { exportFormat, formatOf } from './formats.ts'
import { foreignDepthAtMost, parsedFile, tooDeep, unreadable } from './json.ts'
import { plainName } from './plain-name.ts'
import { hasPlace, prepareOwn } from './own.ts'
import { cardIn, isPng, withoutTexts } from './png.ts'
import { Report, type ImportFormat } from './report.ts'
import { Sorting, textOf, type ForeignAgent } from './sort-members.ts'

type Members = Record<string, unknown>

/** MongoDB accepts no document above 16 MB, and needs some bytes for each member. */
const documentBytesAtMost = 15_000_000
const memberBytes = 12

/**
 * The agent that a file describes, as input, and what became of each part of the file.
 * @throws Refusal `import_unreadable`, `too_deep`, `payload_too_large`, `invalid_input`
 */
export function draftOf(file: Uint8Array): Draft {
  refuseOthers(file)
  const report = new Report()
  const isPicture = isPng(file)
  const card = isPicture ? cardIn(file) : { json: file, assets: 0 }
  if (card.assets > 0) report.drop('', `${card.assets} assets other than the picture are not read.`)
  const { value, depth, nodes } = parsedFile(card.json)
  const format = formatOf(value)
  if (!format) return unreadable('The JSON of the file describes no agent: it has no name.')
  if (format !== 'abode' && depth > foreignDepthAtMost) throw tooDeep(foreignDepthAtMost)
  const isForeign = format !== 'abode'
  const isSpared = isForeign ? undefined : hasPlace
  // A cleaned object is still an object.
  const document = cleaned(value, report, { isForeign, isSpared }) as Members
  const read = isForeign ? readForeign(document, format, report) : readOwn(document, report)
  const { input, more } = parted(named(read, report))
  const texts = [JSON.stringify(input), more ?? '']
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), memberBytes * nodes)
  if (bytes > documentBytesAtMost) {
    throw new Refusal('payload_too_large', 'The agent in this file would be too large to store.')
  }
  const picture = isPicture ? withoutTexts(file) : read.picture
  const made = { input, more, report: report.of(format), warnings: read.warnings }
  return { ...made, picture: picture ? Uint8Array.from(picture) : null }
}

const others: readonly [string, string][] = [
  ['a ZIP, such as a CHARX card: export the card as JSON or PNG', 'PK'],
  ['a JPEG, and only a PNG can hold a character', '\xff\xd8\xff'],
  ['a GIF, and only a PNG can hold a character', 'GIF8'],
  ['a WebP, and only a PNG can hold a character', 'RIFF'],
  ['a PDF', '%PDF-'],
]

function refuseOthers(file: Uint8Array): void {
  const start = Buffer.from(file.subarray(0, 16)).toString('latin1')
  const other = others.find(([, magic]) => start.startsWith(magic))
  if (other) unreadable(`The file is ${other[0]}.`)
}

interface ReadAgent {
  agent: Members
  /** The pointer of the agent in the file; null if it is assembled from many parts. */
  at: string | null
  /** The pointer of its name. */
  nameAt: string
  warnings: Warning[]
  picture?: Uint8Array | undefined
}

function readOwn(document: Members, report: Report): ReadAgent {
  const isWrapped = document.format === exportFormat && isMap(document.character)
  const agent = isWrapped && isMap(document.character) ? document.character : document
  const at = isWrapped ? '/character' : ''
  return { agent, at, nameAt: `${at}/name`, warnings: prepareOwn(agent, report, at) }
}

function readForeign(document: Members, format: ImportFormat, report: Report): ReadAgent {
  const sorting = new Sorting(document, report)
  const { agent, namePath, picture } = agentOf(sorting, format)
  const embedded = picture && textOf(sorting.at(picture))
  const rest = sorting.rest(insideOf[format] ?? [])
  if (rest) agent.extensions = { [format]: rest }
  const data = embedded?.slice(embedded.indexOf(',') + 1)
  const read = { agent, at: null, nameAt: pointerTo(namePath), warnings: [] }
  return data ? { ...read, picture: Buffer.from(data, 'base64') } : read
}

/** Members of a format that hold others, each of which is reported. */
const insideOf: { readonly [F in ImportFormat]?: readonly string[] } = {
  chara_card_v2: ['data'],
  chara_card_v3: ['data'],
  elizaos: ['settings', 'style'],
}

function agentOf(sorting: Sorting, format: ImportFormat): ForeignAgent {
  if (format === 'elizaos') return agentOfEliza(sorting)
  return format === 'a2a_agent_card' ? agentOfAgentCard(sorting) : agentOfCard(sorting, format)
}

/** The agent with a valid name, and without everything that does not fit. */
function named({ agent, at, nameAt }: ReadAgent, report: Report): CharacterInput {
  const { name, note } = plainName(textOf(agent.name))
  if (name === '') unreadable('The file describes no agent: its name has no visible character.')
  if (note !== undefined) report.note(nameAt, note)
  agent.name = name
  const { input, strays, changed } = fitted(agent)
  for (const name of at === null ? [] : Object.keys(agent)) {
    report.map(at + pointerStep(name), pointerStep(name))
  }
  for (const { pointer, message } of changed) report.note((at ?? '') + pointer, message)
  if (strays.size === 0) return input
  for (const pointer of strays.keys()) {
    report.keep((at ?? '') + pointer)
    report.note((at ?? '') + pointer, 'It is not valid for this member, so it is only kept.')
  }
  return withStrays(input, strays)
}

/** Values without a place are kept under their pointers, next to those kept before. */
function withStrays(input: CharacterInput, strays: ReadonlyMap<string, unknown>): CharacterInput {
  const { extensions } = input
  const before = isMap(extensions) ? extensions : {}
  const kept = isMap(before.abode) ? before.abode : {}
  const lost = isMap(extensions) || extensions === undefined ? {} : { '/extensions': extensions }
  const abode = { ...kept, ...Object.fromEntries(strays), ...lost }
  return { ...input, extensions: { ...before, abode } }
}
