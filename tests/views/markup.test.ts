import * as fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import { operations } from '#src/catalog.ts'
import { views } from '#src/views/views.ts'
import { samples, seen, type Sample } from '#tests/support/apps/samples.ts'

function shown({ view, input, answer }: Sample): string {
  const at = {
    now: seen,
    zone: 'Europe/Berlin',
    input,
    link: (path: string) => `https://abode.example${path}`,
  }
  // A sample has the form that its view is for.
  return views[view].show(answer, at).text
}

/** The elements of a markup with their attributes, and the addresses that it names. */
function skeleton(markup: string) {
  const parts: string[] = []
  const addresses: string[] = []
  const parser = new Parser({
    onopentag(name, attributes) {
      parts.push([name, ...Object.keys(attributes)].join(' '))
      for (const member of ['href', 'src', 'action', 'srcdoc', 'style']) {
        if (attributes[member] !== undefined) addresses.push(attributes[member])
      }
    },
  })
  parser.end(markup)
  return { parts, addresses }
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    `<script>alert(1)</script><img src=x onerror='alert("1")'> & "co"`,
    `"><svg/onload=alert(1)>`,
    `' onmouseover='alert(1)`,
    'javascript:alert(1)',
    '</main></div></details><!--',
    'pay \u202Egpj.exe',
    'zero\u200Bwidth\u2066',
    'باحثة في المكتبة',
    'x'.repeat(20_000),
  ),
)

describe.each(Object.entries(samples))('the markup of %s', (_, sample) => {
  const plain = skeleton(shown(sample('plain')))

  test('has the same elements and attributes, of any texts', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        // What is too long is said to be, which is an element.
        fc.pre(text.length < 6000 && text !== '')
        const { parts, addresses } = skeleton(shown(sample(text)))
        expect(parts).toEqual(plain.parts)
        for (const address of addresses) expect(address).toMatch(/^https:\/\/abode\.example\//)
      }),
      { numRuns: 60 },
    )
  })

  test('shows what no one can see, and cuts what is long', () => {
    const markup = shown(sample('pay \u202Egpj.exe\u200B'))
    // The input of a form is not seen, and is sent as it came.
    expect(markup.replaceAll(/type="hidden"[^>]*>/g, '')).not.toMatch(/[\u202E\u200B]/)
    expect(shown(sample('x'.repeat(500_000))).length).toBeLessThan(150_000)
  })

  test('offers only calls that the service takes', () => {
    const forms = shown(sample('plain')).matchAll(
      /name="operation" value="([a-z_.]+)"[^]*?name="input" value="([^"]*)"/g,
    )
    for (const [, operation, input = ''] of forms) {
      const op = operations.find(({ name }) => name === operation)
      expect(op, operation).toBeDefined()
      const written = JSON.parse(input.replaceAll('&quot;', '"')) as Record<string, unknown>
      const members = Object.keys({ ...op?.input.shape, ...(op?.slim && { fields: 1, view: 1 }) })
      expect(members).toEqual(expect.arrayContaining(Object.keys(written)))
    }
  })
})
