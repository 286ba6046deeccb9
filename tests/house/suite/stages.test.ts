import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const ci = new URL('../../../.ci/run', import.meta.url)

it('tells the end of a stage of CI that fails within a function, so that nothing waits for it', async () => {
  const [start] = /^start_stage\(\) \{$.*?^\}$/ms.exec(await readFile(ci, 'utf8')) ?? []
  const scratch = await mkdtemp(join(tmpdir(), 'abode-stages-'))
  const script = `set -euo pipefail
    scratch=$1; declare -A pids began
    ${start}
    fails() { false; }
    start_stage one fails
    wait "\${pids[one]}" || echo "ended with $?"`
  const { stdout } = await run('bash', ['-c', script, 'bash', scratch])
  expect(stdout).toBe('ended with 1\n')
  expect(await readdir(scratch)).toContain('one.end')
  await rm(scratch, { recursive: true })
})
