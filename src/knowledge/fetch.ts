import type { Ports } from '#src/core/context.ts'
import { digestSteps } from '#src/core/turns/digest.ts'
import { inPortionsIfLong } from '#src/core/turns/portions.ts'
import { retryAfter } from '#src/events/outbox/retry-schedule.ts'
import type { Material } from '#src/ports/extractor.ts'
import { ReadFailure, statusFailure } from './failure.ts'
import type { StoredItem } from './item.ts'

/** What is to be read, with the validators for the next fetch; nothing if it has not changed. */
export interface Fetched {
  material: Material | undefined
  bytes: number | null
  sha256: string | null
  etag: string | null
  last_modified: string | null
}

/** Preferred types first. */
export const accept =
  'text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, application/pdf;q=0.9, ' +
  'application/json;q=0.8, application/xml;q=0.8, text/csv;q=0.8, */*;q=0.5'

/** Longer validators are not sent back. */
const validatorAtMost = 1024

type Needed = Pick<Ports, 'sender' | 'files' | 'clock'>

/**
 * Fetches the page of an item, unless it is unchanged, or loads the upload.
 * @throws ReadFailure, OutboundFailure, Unavailable
 */
export async function fetched(
  ports: Needed,
  item: StoredItem,
  signal: AbortSignal,
): Promise<Fetched> {
  const { url } = item
  if (url === null) return takenOut(ports, item)
  const sent = { accept, ...(item.edition === null ? {} : validatorsOf(item)) }
  const answer = await ports.sender.load({ method: 'GET', url, headers: sent, signal })
  const { status, headers, bytes, address } = answer
  const { etag = null, 'last-modified': lastModified = null } = headers
  if (status === 304 && Object.keys(sent).length > 1) {
    const { bytes: size, sha256 } = item
    const same = { etag: etag ?? item.etag, last_modified: lastModified ?? item.last_modified }
    return { material: undefined, bytes: size, sha256, ...same }
  }
  if (status < 200 || status > 299) {
    throw statusFailure(status, retryAfter(headers['retry-after'], ports.clock.now()))
  }
  const mediaType = headers['content-type'] ?? null
  const filename = nameIn(address)
  return found(
    ports,
    item,
    { bytes, mediaType, filename, url: address, as: wayOf(item) },
    {
      etag: short(etag),
      last_modified: short(lastModified),
    },
  )
}

async function takenOut(ports: Needed, item: StoredItem): Promise<Fetched> {
  const bytes = await ports.files.read(item.id)
  if (!bytes) throw new ReadFailure('upload_lost', 'The upload is no longer stored: send it again.')
  const filename = item.kind === 'file' ? item.title : null
  const about = { mediaType: item.media_type, filename, url: null, as: 'file' } as const
  return found(ports, item, { bytes, ...about }, { etag: null, last_modified: null })
}

/** The same bytes as before need not be read again. */
async function found(
  { clock }: Pick<Needed, 'clock'>,
  item: StoredItem,
  material: Material,
  validators: Pick<Fetched, 'etag' | 'last_modified'>,
): Promise<Fetched> {
  const sha256 = await inPortionsIfLong(digestSteps(material.bytes), clock)
  const isSame = item.edition !== null && sha256 === item.sha256
  const bytes = material.bytes.length
  return { material: isSame ? undefined : material, bytes, sha256, ...validators }
}

function validatorsOf({ etag, last_modified }: StoredItem): Record<string, string> {
  return {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(last_modified !== null && { 'if-modified-since': last_modified }),
  }
}

function short(validator: string | null): string | null {
  return validator !== null && validator.length <= validatorAtMost ? validator : null
}

function nameIn(address: string): string | null {
  const last = URL.parse(address)?.pathname.split('/').at(-1)
  return last ? last : null
}

function wayOf({ source_type }: StoredItem): Material['as'] {
  return source_type === 'feed' || source_type === 'sitemap' ? source_type : 'file'
}
