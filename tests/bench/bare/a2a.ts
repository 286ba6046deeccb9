import { JSONRPCServer, type JSONRPCRequest } from 'json-rpc-2.0'

/** The method of the read behind json-rpc-2.0 alone, as one of a hundred that the server knows. */
export function a2aDoor(read: (id: string) => string): (body: string) => Promise<string> {
  const server = new JSONRPCServer()
  for (let n = 0; n < 100; n++) server.addMethod(`nothing.${n}`, () => null)
  // The bench names an agent.
  server.addMethod('characters.get', ({ char_id }: { char_id: string }) => read(char_id))
  return async (body) => {
    // The bench sends single requests, which have an answer.
    const answer = await server.receive(JSON.parse(body) as JSONRPCRequest)
    // The stored text goes in as it is: it need not be read to be written again.
    return `{"jsonrpc":"2.0","id":${answer?.id},"result":${answer?.result}}`
  }
}
