/** The answer to one message, from HTTP or from a door in this process. */
export interface Reply {
  status: number
  contentType: string
  body: string | AsyncIterable<Uint8Array> | undefined
}

/** The JSON texts of a reply, in order; none if it is not JSON-RPC. */
export async function* messagesIn({ contentType, body }: Reply): AsyncGenerator<string> {
  if (body === undefined) return
  if (contentType.startsWith('text/event-stream')) {
    yield* eventsIn(textsOf(body))
    return
  }
  if (!contentType.startsWith('application/json')) return
  let whole = ''
  for await (const text of textsOf(body)) whole += text
  if (whole !== '') yield whole
}

async function* textsOf(body: string | AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  if (typeof body === 'string') {
    yield body
    return
  }
  const decoder = new TextDecoder()
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true })
  yield decoder.decode()
}

/** The data of server-sent events; comments and other fields are skipped. */
async function* eventsIn(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let parts: string[] = []
  let data: string[] = []
  const take = (line: string): string | undefined => {
    if (line === '') {
      const whole = data.join('\n')
      data = []
      return whole === '' ? undefined : whole
    }
    if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
    return undefined
  }
  for await (const text of texts) {
    const lines = text.split('\n')
    const last = lines.pop() ?? ''
    for (const rest of lines) {
      const event = take((parts.join('') + rest).replace(/\r$/, ''))
      parts = []
      if (event !== undefined) yield event
    }
    parts.push(last)
  }
}
