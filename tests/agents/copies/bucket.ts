import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A service that keeps objects as the documented interface of S3 says, and checks who signs. */
export interface BucketServer {
  origin: string
  close(): void
  objects: ReadonlyMap<string, Buffer>
  /** From then on it refuses what is written, as a service without room. */
  fill(): void
  remove(key: string): void
}

/** Of the service. */
export const region = 'eu-test-1'

export async function startBucket(keys: { id: string; secret: string }): Promise<BucketServer> {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  let isFull = false
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const url = new URL(request.url ?? '', 'http://bucket')
    const { searchParams: query } = url
    const [, bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/')
    const key = rest.join('/')
    const say = (status: number, text: string | Buffer = '', headers = {}): void => {
      response.writeHead(status, headers).end(text)
    }
    const refuse = (status: number, code: string): void =>
      say(status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
    if (!isSigned(request, url, keys.secret)) return refuse(403, 'SignatureDoesNotMatch')
    if (bucket !== 'kept') return refuse(404, 'NoSuchBucket')
    const upload = query.get('uploadId') ?? ''
    switch (request.method) {
      case 'PUT': {
        if (isFull) return refuse(400, 'QuotaExceeded')
        const parts = uploads.get(upload)
        if (parts) parts.set(Number(query.get('partNumber')), body)
        else objects.set(key, body)
        return say(200, '', { etag: '"0"' })
      }
      case 'POST': {
        if (query.has('uploads')) {
          const id = `u${uploads.size}`
          uploads.set(id, new Map())
          return say(200, `<R><UploadId>${id}</UploadId></R>`)
        }
        const parts = [...(uploads.get(upload) ?? [])].sort(([a], [b]) => a - b)
        objects.set(key, Buffer.concat(parts.map(([, part]) => part)))
        return say(200, `<R><ETag>"0"</ETag></R>`)
      }
      case 'DELETE':
        if (key !== '') objects.delete(key)
        return say(204)
      default: {
        const found = objects.get(key)
        if (key !== '') return found ? say(200, found) : refuse(404, 'NoSuchKey')
        const names = [...objects.keys()].filter((one) => one.startsWith(query.get('prefix') ?? ''))
        return say(
          200,
          `<R>${names.map((one) => `<Contents><Key>${one}</Key></Contents>`).join('')}</R>`,
        )
      }
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a host has an address with a port, not the path of a pipe.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    objects,
    fill: () => (isFull = true),
    remove: (key) => objects.delete(key),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Whether the request is signed as version 4 of the signatures of AWS says. */
function isSigned({ method = '', headers }: IncomingMessage, url: URL, secret: string): boolean {
  const [, scope = '', names = '', signature = ''] =
    /Credential=[^/]+\/(\S+), SignedHeaders=(\S+), Signature=(\w+)/.exec(
      headers.authorization ?? '',
    ) ?? []
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&')
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const asked = [
    method,
    url.pathname,
    query,
    signed.join(''),
    names,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const hash = createHash('sha256').update(asked).digest('hex')
  const said = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash].join('\n')
  const key = scope
    .split('/')
    .reduce((by: string | Buffer, part) => hmac(by, part), `AWS4${secret}`)
  return hmac(key, said).toString('hex') === signature && scope.includes(region)
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
