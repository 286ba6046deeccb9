import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** A port that was free a moment ago, for a server whose address has to be known before its start. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
