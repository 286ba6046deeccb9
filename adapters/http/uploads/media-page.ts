import type { LimitState } from '#src/core/admission/limits.ts'
import { overLimit } from '#src/core/admission/limits-of.ts'
import type { Files } from '#src/ports/files.ts'
import { isKnown, tagHeader, type Tag } from '../conditional.ts'
import { HttpFault, nothingAt } from '../errors.ts'
import { addLimit } from '../operation-route.ts'
import type { Page } from '../page.ts'

/** What is stored of a picture in addition to its bytes. */
export interface Shown {
  id: string
  bytes: number
  media_type: string
  sha256: string
}

export interface MediaPageTerms {
  /** The picture with an id; undefined if there is none that may be shown. */
  find: (id: string) => Promise<Shown | undefined>
  files: Files
  /** Counts a read of this address; undefined if reads have no limit. */
  count: (address: string) => LimitState | Promise<LimitState> | undefined
}

/** Read and sent in pieces, so that slow readers of large pictures hold at most one piece each. */
const pieceBytes = 2 ** 20

/** A picture: the only stored files with an address, and what has an address never changes. */
export function mediaPage(id: string, { find, files, count }: MediaPageTerms): Page {
  return {
    methods: ['GET', 'HEAD'],
    async reply({ req }, { address }) {
      const limit = await count(address)
      if (limit && !limit.admitted) throw overLimit(limit)
      const media = await find(id)
      if (!media) throw nothingAt(whereToLook)
      const tag: Tag = { value: media.sha256, weak: false }
      const headers = headersOf(media)
      if (limit) addLimit(headers, limit)
      const { 'if-none-match': known, range, 'if-range': condition } = req.headers
      // Without a body it becomes a 304.
      if (known !== undefined && isKnown(tag, known)) return { status: 200, headers, tag }
      headers['ETag'] = tagHeader(tag)
      const isSame = condition === undefined || condition.toString().trim() === tagHeader(tag)
      const asked = req.method === 'GET' && isSame ? rangeOf(range, media.bytes) : undefined
      const { start, end } = asked ?? { start: 0, end: media.bytes }
      headers['Content-Length'] = String(end - start)
      if (asked) headers['Content-Range'] = `bytes ${start}-${end - 1}/${media.bytes}`
      const status = asked ? 206 : 200
      // Checked before any header is sent: the bytes may be gone although a document still refers to
      // them.
      const few = req.method === 'HEAD' ? 1 : pieceBytes
      const first = await files.read(id, { start, end: Math.min(start + few, end) })
      if (!first?.length) throw nothingAt(whereToLook)
      return { status, headers, body: piecesOf(files, id, first, { start, end }) }
    },
  }
}

const whereToLook = 'appearance.photos of an agent has the addresses of its pictures.'

function headersOf({ media_type }: Shown): Record<string, string> {
  return {
    'Content-Type': media_type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Accept-Ranges': 'bytes',
    // However a browser interprets the bytes, it executes nothing of them.
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
}

/**
 * The single range that is requested; undefined for none, and for several, which get the whole.
 * @throws HttpFault `range_not_satisfiable`
 */
function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size : Math.min(Number(to) + 1, size)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  if (start < size && start < end) return { start, end }
  throw new HttpFault('range_not_satisfiable', `The picture has ${size} bytes.`, {
    hint: 'Ask for bytes that it has, or leave the header Range out.',
    headers: { 'Content-Range': `bytes */${size}` },
  })
}

function piecesOf(
  files: Files,
  id: string,
  first: Uint8Array,
  { start, end }: { start: number; end: number },
): ReadableStream<Uint8Array> {
  let at = start
  let read: Uint8Array | undefined = first
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece =
          read ?? (await files.read(id, { start: at, end: Math.min(at + pieceBytes, end) }))
        read = undefined
        // The announced length cannot be met any more: the connection is cut.
        if (!piece?.length) throw new Error('a picture was deleted while it was being sent')
        at += piece.length
        controller.enqueue(piece)
        if (at >= end) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
