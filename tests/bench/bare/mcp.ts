/** What a tools/call of the read sends. */
interface Call {
  id: number
  params: { name: string; arguments: { char_id: string } }
}

const about = '"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"abode","version":"0.1.0"}}'

/** A tools/call of the read as a hand would write it: the same answer, and none of the protocol's checks. */
export function mcpDoor(read: (id: string) => string): (body: string) => string {
  return (body) => {
    // The bench sends nothing else.
    const { id, params } = JSON.parse(body) as Call
    const text = read(params.arguments.char_id)
    const content = `[{"type":"text","text":${JSON.stringify(text)}}]`
    const result = `{"content":${content},"structuredContent":${text},"resultType":"complete",${about}}`
    return `{"result":${result},"jsonrpc":"2.0","id":${id}}`
  }
}
