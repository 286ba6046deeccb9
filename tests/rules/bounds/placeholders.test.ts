import { expect, test } from 'vitest'
import { filledIn, placeholdersIn } from '#src/agents/tasks/placeholders.ts'
import { render } from '#src/runs/template.ts'

const namesIn = (text: string): string[] => [...placeholdersIn(text)].map(({ name }) => name)

test.for([
  ['{{a}} and {{ b.c }}', ['a', 'b.c']],
  ['{{two words}}', ['two words']],
  ['{{\n a \t}}', ['a']],
  ['{{{a}}}', ['a']],
  ['{{}} {{  }} {a} {{a} }}', []],
  [`{{${'n'.repeat(200)}}}`, ['n'.repeat(200)]],
  [`{{${'n'.repeat(201)}}}`, []],
  [`{{a${' '.repeat(240)}}}`, []],
] as const)('%j asks for %j', ([text, names]) => {
  expect(namesIn(text)).toEqual(names)
})

test('what is no placeholder stays as it is', () => {
  expect(filledIn('{{a}}{{ }}{b}', (name) => `<${name}>`)).toBe('<a>{{ }}{b}')
})

test('no more than ten thousand places are filled in', () => {
  expect(render('{{a}}'.repeat(10_000), { a: 'b' }, {})).toBe('b'.repeat(10_000))
  expect(() => render('{{a}}'.repeat(10_001), { a: 'b' }, {})).toThrow(/10000 places/)
})
