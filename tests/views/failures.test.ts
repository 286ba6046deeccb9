import { expect, test } from 'vitest'
import { views } from '#src/views/views.ts'
import { samples, seen } from '#tests/support/apps/samples.ts'

const at = { now: seen, zone: 'UTC', input: {}, link: (path: string) => path }

function failed(code: string): string {
  const { answer } = samples['one run']?.('x') ?? {}
  const run = { ...answer, status: 'failed', output: null, error: { code, message: 'It says so.' } }
  return views.run.show(run, at).text
}

test('a failure is told in plain words, with what to do; one that its worker made up in its own', () => {
  expect(failed('variable_missing')).toContain('The prompt has a place that nothing filled.')
  expect(failed('variable_missing')).toContain('Run it again with an input')
  expect(failed('api_status')).toContain('The call to another server did not work.')
  for (const code of ['out_of_paper', 'constructor']) {
    expect(failed(code)).toMatch(/It failed\.<\/strong> <bdi>It says so\./)
  }
})
