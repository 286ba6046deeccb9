import { randomUUID } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import {
  archiveWith,
  documentFiles,
  foldedFile,
  paragraph,
} from '#tests/support/materials/archives.ts'
import { packedBomb, pdfOf } from '#tests/support/materials/pdf.ts'
import type { Attack, Target } from './attack-types.ts'
import { calls, done, everyone, keyed, poster, type CallTerms } from './calls.ts'

const lanesOfKey = 4
/** A text fills a fifth of an agent. */
const agentsOfKey = 6

const row = (cells: string, times: number): string => `<tr>${cells.repeat(times)}`

/** Files that cost as much as they may to be read, or more, each with how often one call brings it. */
const files: Readonly<Record<string, { times: number; bytes: () => Buffer | string }>> = {
  // Six kilobytes, which expand to three gigabytes in two steps.
  'twice.pdf': {
    times: 10,
    bytes: () => pdfOf([deflateSync(packedBomb(200))], { timesPacked: 2 }),
  },
  'once.pdf': { times: 2, bytes: () => pdfOf([packedBomb(25)]) },
  'pages.pdf': {
    times: 1,
    bytes: () => pdfOf(Array.from({ length: 2000 }, () => ['The beds are dug in autumn.'])),
  },
  'folded.docx': {
    times: 5,
    bytes: () =>
      archiveWith([
        ...documentFiles(paragraph('Dig the beds.')),
        ...Array.from({ length: 100 }, (_, at) => foldedFile(`word/media/${at}.emf`)),
      ]),
  },
  'long.docx': {
    times: 2,
    bytes: () => archiveWith(documentFiles(paragraph('Dig the beds.').repeat(500_000))),
  },
  'wide.html': {
    times: 1,
    bytes: () => `<html><body><table>${row('<td>1', 100).repeat(10_000)}</table>`,
  },
  'line.html': { times: 1, bytes: () => `<p>${'word '.repeat(2_000_000)}</p>` },
  'deep.html': { times: 2, bytes: () => '<div><b>x'.repeat(400_000) },
  'wide.csv': {
    times: 1,
    bytes: () => `${'name,'.repeat(20_000)}\n`.concat(`${'1,'.repeat(20_000)}\n`.repeat(200)),
  },
  'deep.json': {
    times: 2,
    bytes: () => `${'{"a":['.repeat(100_000)}"x"${']}'.repeat(100_000)}`,
  },
  'long.txt': { times: 3, bytes: () => 'The beds are dug in autumn. '.repeat(140_000) },
}

/** A form, made once for all calls that send it. */
interface Form {
  type: string
  bytes: ArrayBuffer
}

async function forms(): Promise<Form[]> {
  return Promise.all(
    Object.entries(files).map(async ([name, { times, bytes }]) => {
      const form = new FormData()
      const file = new File([new Uint8Array(Buffer.from(bytes()))], name)
      for (let i = 0; i < times; i += 1) form.append('files', file)
      const made = new Response(form)
      return { type: made.headers.get('content-type') ?? '', bytes: await made.arrayBuffer() }
    }),
  )
}

async function agentsOf(target: Target): Promise<string[]> {
  const ids = Array.from({ length: agentsOfKey }, () => `reader-${randomUUID().slice(0, 8)}`)
  for (const id of ids) await done(await poster(target)('/api/characters', { id, name: 'Reader' }))
  return ids
}

/** One account sends every kind of file in turn, on several connections, to each of its agents. */
async function uploads(target: Target, made: readonly Form[], terms: CallTerms): Promise<void> {
  const ids = await agentsOf(target)
  let sent = 0
  await calls(lanesOfKey, terms, () => {
    const at = sent++
    const form = made[at % made.length]
    return fetch(`${target.url}/api/characters/${ids[at % ids.length]}/knowledge/files`, {
      method: 'POST',
      headers: { 'content-type': form?.type ?? '', ...keyed(target) },
      body: form?.bytes ?? null,
      signal: terms.signal,
    })
  })
}

let made: Form[] = []

export const documentAttack: Attack = {
  name: 'documents',
  what: 'uploads of documents that expand to gigabytes, or are as wide and long as they may be, with three free keys',
  given: ['200'],
  async prepare(target) {
    made = await forms()
    return target
  },
  async run(target, answers, signal) {
    await Promise.all(everyone(target).map((one) => uploads(one, made, { answers, signal })))
  },
}
