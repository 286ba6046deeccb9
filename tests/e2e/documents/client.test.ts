import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'

const program = fileURLToPath(
  new URL('../../../examples/typescript-client/first-run.ts', import.meta.url),
)
// What is on this machine is not asked for by way of a proxy.
const env = { ...process.env, NO_PROXY: '*', no_proxy: '*' }

let server: ServerProcess
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.dispose())

describe('the client in TypeScript', () => {
  it('gets a key, makes an agent with a task, runs it, and searches the Commons', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, server.url], { env })
    expect(stdout).toMatch(
      /^agent {3}\S+\ntask {4}\S+\nrun {5}completed: "Good morning, Grace\."\ncommons 0 found\n$/,
    )
  })

  it('ends with what the service said where it refuses', async () => {
    const nowhere = `${server.url}/api`
    const ended = promisify(execFile)(process.execPath, [program, nowhere], { env })
    await expect(ended).rejects.toThrow(/refused: .*path_not_found/)
  })
})
