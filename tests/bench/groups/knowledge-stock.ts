import { crc32, deflateSync } from 'node:zlib'
import { openStore } from '#adapters/store/open.ts'
import { newItem } from '#src/knowledge/add.ts'
import { chunkId, editionMark, type StoredItem } from '#src/knowledge/item.ts'
import { emptyShelf } from '#src/knowledge/library.ts'
import type { Write } from '#src/ports/store.ts'
import { openWorld } from '#tests/support/world.ts'
import { prose } from '../prose.ts'

/** The key of an account whose agents know something. */
export interface KnowledgeStock {
  key: string
  agents: readonly string[]
}

const agents = 50
const chunkCharacters = 900
const headingCharacters = 30
/** As many fit into one commit. */
const atOnce = 100

/** Fills a new folder with agents that know so many pieces together, as they are stored. */
export async function stockKnowledge(folder: string, chunks: number): Promise<KnowledgeStock> {
  const store = await openStore({ folder })
  try {
    const world = openWorld(store)
    const { key, id: ownerId } = await world.account()
    const each = Math.ceil(chunks / agents)
    const ids = Array.from({ length: agents }, (_, n) => `scholar-${n}`)
    for (const [n, id] of ids.entries()) {
      await world.ask('characters.create', { character: { id, name: 'A scholar' } }, key)
      const shelf = { ...emptyShelf(id, ownerId), items: 1, chunks: each }
      const wanted = { kind: 'text', refresh: 'none', source_type: 'file', title: 'Notes' } as const
      const upload = { id: `kno_stock${n}`, bytes: 0, media_type: null }
      const edition = `${shelf.shelf}/edn_stock`
      const item: StoredItem = {
        ...newItem(shelf, { ...wanted, ...upload }, null, new Date()),
        status: 'indexed',
        queue: null,
        due_at: null,
        upload: false,
        embedded: '',
        edition,
        chunks: each,
      }
      await store.commit([
        { in: 'knowledge_shelves', insert: shelf },
        { in: 'knowledge_items', insert: item },
      ])
      for (let from = 0; from < each; from += atOnce) {
        const make = (_: unknown, i: number): Write => {
          const position = from + i
          const seed = n * each + position
          const heading = prose(seed + 1, headingCharacters)
          const text = prose(seed, chunkCharacters)
          const of = { shelf: shelf.shelf, edition: editionMark(edition), item_id: item.id }
          const about = { ...of, position, heading, place: null }
          return {
            in: 'knowledge_chunks',
            insert: { id: chunkId(edition, position), ...about, text },
          }
        }
        await store.commit(Array.from({ length: Math.min(atOnce, each - from) }, make))
      }
    }
    return { key, agents: ids }
  } finally {
    await store.close()
  }
}

/** A page of HTML with so many characters of text. */
export function htmlPage(seed: number, characters: number): string {
  const paragraphs = Array.from({ length: Math.ceil(characters / 600) }, (_, n) => {
    return `<h2>${prose(seed + n, 20)}</h2><p>${prose(seed * 7 + n, 600)}</p>`
  })
  const menu = '<nav><a href="/">Home</a><a href="/about">About</a></nav>'
  return `<!doctype html><html><head><title>Page ${seed}</title></head><body>${menu}<main><h1>Page ${seed}</h1>${paragraphs.join('')}</main></body></html>`
}

const lineCharacters = 90
const linesAPage = 34

/** A PDF of about so many bytes, all of them text. */
export function pdfOf(bytes: number): Buffer {
  const parts: string[] = ['%PDF-1.4\n']
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  const isShort = (): boolean => length < bytes
  const put = (id: number, body: string): void => {
    offsets[id] = length
    const text = `${id} 0 obj\n${body}\nendobj\n`
    parts.push(text)
    length += text.length
  }
  put(3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  const kids: string[] = []
  for (let id = 4; isShort(); id += 2) {
    const lines = Array.from({ length: linesAPage }, (_, n) => prose(id * 50 + n, lineCharacters))
    const shown = lines.map((line) => `(${line}) Tj T*`).join('\n')
    const stream = `BT /F1 10 Tf 14 TL 40 800 Td\n${shown}\nET`
    put(id + 1, `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`)
    const resources = '/Resources << /Font << /F1 3 0 R >> >> /MediaBox [0 0 595 842]'
    put(id, `<< /Type /Page /Parent 2 0 R ${resources} /Contents ${id + 1} 0 R >>`)
    kids.push(`${id} 0 R`)
  }
  put(1, '<< /Type /Catalog /Pages 2 0 R >>')
  put(2, `<< /Type /Pages /Count ${kids.length} /Kids [${kids.join(' ')}] >>`)
  const entries = Array.from({ length: offsets.length - 1 }, (_, i) => {
    return `${String(offsets[i + 1] ?? 0).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${offsets.length}\n0000000000 65535 f \n${entries.join('')}`
  const trailer = `trailer\n<< /Size ${offsets.length} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.from(parts.join('') + table + trailer, 'latin1')
}

/** A picture of about so many bytes, in which nothing repeats. */
export function pngOf(bytes: number): Uint8Array<ArrayBuffer> {
  const side = Math.floor(Math.sqrt(bytes / 3))
  const pixels = Buffer.alloc(side * (side * 3 + 1))
  let state = 1
  for (let at = 0; at < pixels.length; at++) {
    // The first byte of a row names its filter: none.
    if (at % (side * 3 + 1) === 0) continue
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    pixels[at] = state >>> 24
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(pixels, { level: 1 })
  const parts = [
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]
  return new Uint8Array(Buffer.concat([signature, ...parts]))
}

function pngChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
