import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { viewScript } from '#adapters/commands/build/view-script.ts'
import made from '#protocol/mcp/apps/script.json' with { type: 'json' }

// It is checked in, since the service also starts where there is no bundler.
test('the script of the views is made of their sources: npm run views writes it', async () => {
  const isCurrent = made.script === (await viewScript(rolldown))
  expect(isCurrent).toBe(true)
})

test('is about half of the kit, and asks for nothing of another place', () => {
  expect(made.script.length).toBeLessThan(290_000)
  const found = /<\/script|\bfetch\(|XMLHttpRequest|new WebSocket|\bimport\(/.exec(made.script)
  expect(found).toBeNull()
})
