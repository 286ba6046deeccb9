import { expect, it } from 'vitest'
import { inside, pictureOf } from './districts.ts'
import { read } from './tree.ts'

it('is drawn as it is, by `npm run docs`', async () => {
  const drawn = read('docs/architecture.md').replace(
    /(?<=```mermaid\n)flowchart BT\n[^`]*(?=```)/,
    `${pictureOf(inside)}\n`,
  )
  await expect(drawn, 'npm run docs').toMatchFileSnapshot('../../docs/architecture.md')
})
