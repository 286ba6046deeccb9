import { describe, expect, test } from 'vitest'
import { Misused } from '#adapters/commands/arguments.ts'
import { askedFor } from '#adapters/commands/mcp/arguments.ts'

const env = { HOME: '/home/ada' }

function local(words: string[], more: Record<string, string> = {}, platform?: NodeJS.Platform) {
  const asked = askedFor(words, { ...env, ...more }, platform ?? 'linux')
  if (asked.command !== 'local') throw new Error('it is another command')
  return asked
}

describe('without words', () => {
  test.each([
    ['linux', {}, '/home/ada/.local/share/abode'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/abode'],
    ['darwin', {}, '/home/ada/Library/Application Support/abode'],
    ['win32', { LOCALAPPDATA: '/local' }, '/local/abode'],
    ['linux', { DATA_DIR: '/srv/abode' }, '/srv/abode'],
  ] as const)('the folder on %s with %j is %s', (platform, more, folder) => {
    const asked = local([], more, platform)
    expect(asked).toMatchObject({ folder, isNamed: false, key: undefined })
    expect(asked.keyFile).toBe(`${folder}/mcp-key.json`)
  })

  test('the tools are those that most hosts need', () => {
    expect(local([]).query).toBe('toolsets=core')
  })
})

describe('words', () => {
  test('name another folder and another file for the key', () => {
    expect(local(['--data', '/a/b/', '--key-file', '/k.json'])).toMatchObject({
      folder: '/a/b',
      isNamed: true,
      keyFile: '/k.json',
    })
  })

  test.each([
    [['--toolsets', 'all'], ''],
    [['--toolsets', 'core, feed'], 'toolsets=core%2Cfeed'],
    [['--toolsets', 'all', '--readonly'], 'readonly=true'],
    [['--readonly'], 'toolsets=core&readonly=true'],
  ])('%j list the tools of "%s"', (words, query) => {
    expect(local(words).query).toBe(query)
  })

  test.each([
    ['https://abode.example', 'https://abode.example'],
    ['https://abode.example/', 'https://abode.example'],
    ['https://abode.example/mcp', 'https://abode.example'],
    ['http://127.0.0.1:8080/base/', 'http://127.0.0.1:8080/base'],
  ])('--url %s is the service at %s', (sent, url) => {
    expect(askedFor(['--url', sent], env, 'linux')).toMatchObject({ command: 'remote', url })
  })

  test('of each service keep a key of its own', () => {
    const files = ['https://a.example', 'https://a.example:8443', 'http://a.example'].map((url) => {
      const asked = askedFor(['--url', url], env, 'linux')
      return asked.command === 'remote' ? asked.keyFile : ''
    })
    expect(files[0]).toBe('/home/ada/.local/share/abode/mcp-keys/https_a.example.json')
    expect(new Set(files).size).toBe(3)
  })

  test.each([['--help'], ['-h']])('%s asks for help', (word) => {
    expect(askedFor([word], env)).toEqual({ command: 'help' })
  })

  test.each([
    [['--foo'], '--foo'],
    [['folder'], 'folder'],
    [['--data'], '--data'],
    [['--data', ''], '--data'],
    [['--data', 'a', '--url', 'http://b'], 'one of them'],
    [['--url', 'abode.example'], 'http://'],
    [['--url', 'ftp://abode.example'], 'http://'],
    [['--url', 'https://u:secret@abode.example'], 'without credentials'],
    [['--url', 'https://abode.example/?token=secret'], 'without credentials'],
    [['--toolsets', 'agnets'], 'did you mean agents?'],
    [['--toolsets', 'core,'], 'core'],
    [['--toolsets', 'core,all'], 'all'],
    [['--key-file', '\0'], '--key-file'],
  ])('%j are wrong, and told in one line', (words, part) => {
    const call = () => askedFor(words, env, 'linux')
    expect(call).toThrow(Misused)
    expect(call).toThrow(part)
    expect(call).not.toThrow('secret')
    expect(call).not.toThrow('\n')
  })
})

describe('ABODE_KEY', () => {
  test('is the key, and an empty one is none', () => {
    expect(local([], { ABODE_KEY: 'ab_x' }).key).toBe('ab_x')
    expect(local([], { ABODE_KEY: '' }).key).toBeUndefined()
  })

  test.each(['ab_x y', 'ab_x\n', 'ab_é'])('is never shown, nor sent as %j', (key) => {
    const call = () => local([], { ABODE_KEY: key })
    expect(call).toThrow('ABODE_KEY')
    expect(call).not.toThrow('ab_')
  })
})
