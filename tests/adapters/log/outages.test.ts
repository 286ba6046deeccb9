import { expect, it } from 'vitest'
import { Outages, watchedMailer, watchedModels } from '#adapters/log/outages.ts'
import type { Log } from '#src/ports/log.ts'
import { MailFailure } from '#src/ports/mail/mailer.ts'
import { ModelFailure, type Models } from '#src/ports/model.ts'
import { Unavailable } from '#src/ports/store.ts'

function watching() {
  const lines: string[] = []
  const counted: string[] = []
  const write =
    (level: string): Log['info'] =>
    (message, fields = {}) => {
      const told = Object.entries(fields).filter(([name]) => !/^(cause|away_seconds)$/.test(name))
      lines.push([level, message, JSON.stringify(Object.fromEntries(told))].join(' '))
    }
  const log = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  }
  const outages = new Outages({
    log,
    count: (service) => void counted.push(service),
    isStoreThere: () => Promise.resolve(false),
  })
  return { lines, counted, outages, log: outages.quiet() }
}

it('leaves lines of other faults as they are', () => {
  const { lines, log, outages } = watching()
  log.error('a fault', { cause: new Error('of the server') })
  log.warn('too much at once', { cause: new Unavailable('too many writes wait') })
  expect(lines).toEqual(['error a fault {}', 'warn too much at once {}'])
  const away = new Unavailable('no server', { isAway: true })
  log.error('a tick failed', { job: 'one', cause: new Error('in it', { cause: away }) })
  log.error('a tick failed', { job: 'two', cause: away })
  outages.close()
  expect(lines.slice(2)).toEqual([
    'error the store is away {}',
    'debug a tick failed {"job":"one"}',
    'debug a tick failed {"job":"two"}',
  ])
})

it('tells of a mail server and of a provider of models, each once', async () => {
  const { lines, counted, outages, log } = watching()
  let fault: Error | undefined = new MailFailure('It said nothing.', { isAway: true })
  const work = () => (fault ? Promise.reject(fault) : Promise.resolve())
  const mailer = watchedMailer({ send: work, close: () => undefined }, outages)
  const mail = () =>
    mailer
      .send({ id: 'm', to: '', subject: '', text: '' }, new AbortController().signal)
      .catch((cause: unknown) => log.warn('a mail could not be sent yet', { cause }))
  await mail()
  await mail()
  const open = () => Promise.resolve({ turn: work })
  // Nothing else of it is asked for.
  const models = watchedModels({ open } as unknown as Models, outages)
  const turn = async (own = {}) => {
    const opening = { system: '', prompt: '', tools: [], temperature: null, maxTokens: null }
    const name = { provider: 'openai', model: 'm' }
    const conversation = await models.open(name, own, opening)
    const terms = {
      answers: [],
      signal: new AbortController().signal,
      onText: async () => undefined,
    }
    await conversation.turn(terms).catch(() => undefined)
  }
  fault = new ModelFailure('unavailable', 'It is away.')
  await turn({ OPENAI_BASE_URL: 'https://its-own.example' })
  await turn()
  await turn()
  fault = undefined
  await Promise.all([mail(), turn()])
  await turn()
  expect(counted).toEqual(['mail', 'model'])
  expect(lines.filter((line) => !line.startsWith('debug'))).toEqual([
    'error the mail server is away {}',
    'error a provider of models is away {"which":"openai"}',
    'warn the mail server is back {"refusals":2}',
    'warn a provider of models is back {"which":"openai","refusals":2}',
  ])
})
