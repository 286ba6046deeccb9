import { HttpFault } from '../errors.ts'

/** The headers of a part. */
export interface PartHead {
  name: string
  /** As sent, folders included; absent if the part is a field. */
  filename: string | undefined
  mediaType: string | null
}

/** The size limit of a part's header lines, and of their number. */
export const headBytesAtMost = 8192
export const linesAtMost = 16

/** The header lines of a part by lower-case name, one character for each byte. */
export type Lines = Readonly<Record<string, readonly string[]>>

const parameter = /[ \t]*;[ \t]*([\w!#$&+^`|~.*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^";\s]*))/y

/**
 * Reads the headers of a part, according to RFC 7578.
 * @throws HttpFault `bad_request`
 */
export function partHead(lines: Lines): PartHead {
  const headers = headersOf(lines)
  const disposition = headers.get('content-disposition') ?? ''
  if (!/^form-data(?:[ \t;]|$)/i.test(disposition)) {
    throw brokenForm('a part is no form-data')
  }
  const coding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary'
  if (!['binary', '8bit', '7bit'].includes(coding)) {
    throw brokenForm('a part has a transfer encoding, and its bytes are to be sent as they are')
  }
  const parameters = parametersOf(disposition.slice('form-data'.length))
  const name = parameters.get('name')
  if (!name) throw brokenForm('a part has no name')
  const extended = parameters.get('filename*')
  const filename = extended === undefined ? parameters.get('filename') : fromExtended(extended)
  return { name, filename, mediaType: headers.get('content-type') ?? null }
}

function headersOf(lines: Lines): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  let size = 0
  for (const [name, [value = '', ...more]] of Object.entries(lines)) {
    if (more.length > 0) throw brokenHead()
    headers.set(name, asText(Buffer.from(value, 'latin1')).trim())
    size += name.length + value.length
  }
  if (size > headBytesAtMost) throw longHead()
  if (headers.size <= linesAtMost) return headers
  throw brokenForm(`a part has more than ${linesAtMost} lines before it`)
}

function parametersOf(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  parameter.lastIndex = 0
  let end = 0
  for (let found = parameter.exec(text); found; found = parameter.exec(text)) {
    const [, name = '', quoted, bare = ''] = found
    if (parameters.has(name.toLowerCase())) throw brokenForm(`a part has two of ${name}`)
    parameters.set(name.toLowerCase(), quoted === undefined ? bare : unquoted(quoted))
    end = parameter.lastIndex
  }
  if (text.slice(end).trim() !== '') throw brokenForm('the name of a part is broken')
  return parameters
}

/**
 * Browsers write a quotation mark as `%22`, others with a backslash; a lone backslash belongs to a
 * path.
 */
function unquoted(text: string): string {
  return text.replaceAll(/\\(["\\])/g, '$1').replaceAll('%22', '"')
}

/** The form of RFC 8187, which some senders use for non-ASCII names. */
function fromExtended(text: string): string {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(text) ?? []
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded)
  } catch {
    // Reported below.
  }
  throw brokenForm('the name of a file is broken')
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws HttpFault `bad_request` for invalid UTF-8 */
export function asText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new HttpFault('bad_request', 'The form holds a text that is not UTF-8.', { cause })
  }
}

/** The fault `bad_request` of a part whose lines end nowhere, or come twice. */
export function brokenHead(): HttpFault {
  return brokenForm('the lines before a part are broken')
}

export function longHead(): HttpFault {
  return brokenForm(`the lines before a part have more than ${headBytesAtMost} bytes`)
}

export function brokenForm(why: string): HttpFault {
  return new HttpFault('bad_request', `The form cannot be read: ${why}.`, {
    hint: 'Send multipart/form-data as RFC 7578 has it, with one part for each file and field.',
  })
}
