import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { shellHere } from '#tests/support/bubblewrap.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'

const found = await shellHere()
const patience = 180_000
const servers: ServerProcess[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.dispose()
})

async function started(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer({ env })
  servers.push(server)
  return server
}

/** Runs a task of a new agent on a server, and gives the ended run. */
async function ran(server: ServerProcess, task: object): Promise<{ output: string }> {
  const post = async (path: string, body: object, key?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    }
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return answer.json()
  }
  // The test reads what it has asked for.
  const { api_key } = (await post('/api/agent-claim', {})) as { api_key: string }
  const tasks = [{ task_id: 't', name: 'T', ...task }]
  await post('/api/characters/', { id: 'ada', name: 'Ada', heart: { tasks } }, api_key)
  const path = '/api/characters/ada/tasks/t/run'
  return (await post(path, { input: 'in', wait_seconds: 60 }, api_key)) as { output: string }
}

test('a shell without bubblewrap ends the start with 78 and says what to install', async () => {
  const env = { ABODE_SHELL_RUNTIME: 'on', PATH: dirname(process.execPath) }
  await expect(startServer({ env })).rejects.toThrow(
    /ended with 78:\nABODE_SHELL_RUNTIME=on needs bubblewrap: install the package.*$/,
  )
})

test('a program for containers that is not there ends the start with 78', async () => {
  const env = { ABODE_CONTAINER_RUNTIME: '/nowhere/run-container' }
  await expect(startServer({ env })).rejects.toThrow(
    /ended with 78:\nABODE_CONTAINER_RUNTIME must be off or the path of a program: \/nowhere.*$/,
  )
})

test('a process that does no runs needs neither', async () => {
  const env = { ABODE_SHELL_RUNTIME: 'on', PATH: dirname(process.execPath), ABODE_WORK: 'api' }
  expect((await started(env)).url).toMatch(/^http/)
})

test.skipIf(!found)(
  'a server that is let run shell commands runs them',
  { timeout: patience },
  async () => {
    const server = await started({ ABODE_SHELL_RUNTIME: 'on' })
    const shell_command = `echo "$ABODE_INPUT"; ls ${server.dataDir} || echo hidden`
    expect(await ran(server, { runtime: 'shell', shell_command })).toMatchObject({
      status: 'completed',
      output: 'in\nhidden',
    })
  },
)

test('a server with a program for containers hands jobs to it', { timeout: patience }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'abode-e2e-'))
  try {
    const program = join(folder, 'run-container')
    await writeFile(program, `#!/bin/sh\necho '{"exit_code":0,"stdout":"contained"}'\n`)
    await chmod(program, 0o755)
    const server = await started({ ABODE_CONTAINER_RUNTIME: program })
    const task = { runtime: 'container', container_image: 'debian:12' }
    expect(await ran(server, task)).toMatchObject({ status: 'completed', output: 'contained' })
  } finally {
    await rm(folder, { recursive: true })
  }
})
