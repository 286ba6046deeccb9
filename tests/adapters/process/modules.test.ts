import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ownModule } from '#adapters/process/modules.ts'
import { read, root, sources } from '#tests/house/tree.ts'

const at = (path: string): string => pathToFileURL(join(root, path)).href

describe('a module of the project', () => {
  it('is found by its name where Node finds it', () => {
    for (const path of sources('adapters', 'protocol')) {
      const { resolve } = createRequire(at(path))
      for (const [, name = ''] of read(path).matchAll(/(?:from |import\()'([.#][^']+\.ts)'/g)) {
        expect(ownModule(name, at(path)), `${name} in ${path}`).toBe(
          pathToFileURL(resolve(name)).href,
        )
      }
    }
  })

  it.each([
    ['a package', 'koa', at('adapters/main.ts')],
    ['a module of Node', 'node:fs', at('adapters/main.ts')],
    ['what has another ending', './answers.json', at('src/documents/examples.ts')],
    ['what a package imports', './a.ts', at('node_modules/koa/index.js')],
    ['what is imported elsewhere', './a.ts', 'file:///elsewhere/a.ts'],
    ['what is imported by no module', './a.ts', undefined],
    ['an address', at('adapters/main.ts'), at('adapters/main.ts')],
  ])('is not %s', (_, name, parent) => {
    expect(ownModule(name, parent)).toBeUndefined()
  })
})
