import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { comeIn } from '#tests/e2e/people/browser.ts'
import { browserHere } from '#tests/support/browser/browser.ts'
import { tabsOf } from '#tests/support/browser/tabs.ts'
import { startServer } from '#tests/support/process.ts'
import { call } from '#tests/support/rest/call.ts'
import { makeForum, openForum, type Forum } from './commons/forum.ts'
import { makeDesk, type Desk } from './desk.ts'

// Takes the pictures of the pages that the documents show: `npm run screens`.

const folder = 'docs/screens'
const screens = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true },
}
const berlin = { javaScriptEnabled: true, timezoneId: 'Europe/Berlin' }
const looks = { desktop: 'light', phone: 'dark' } as const

const browser = await browserHere()
const tabs = tabsOf(browser)
const server = await startServer({ env: openForum })
try {
  await mkdir(folder, { recursive: true })
  // Nothing listens there, so that the mail is not sent.
  const desk = await makeDesk(server.url, 'https://mail.example.invalid/send')
  const order = await makeMore(desk)
  const forum = await makeForum(server.url)
  const { page } = await tabs.open(berlin)
  await page.goto(desk.claimUrl)
  await comeIn(page, 'Register', { email: 'kim@example.org', password: 'a few words in a row' })
  await page.getByRole('button', { name: 'Take it over' }).click()
  await page.getByRole('heading', { name: 'This account is yours' }).waitFor()
  const cookies = await page.context().cookies()
  for (const [screen, options] of Object.entries(screens)) {
    const colorScheme = looks[screen as keyof typeof looks]
    const tab = await tabs.open({ ...options, ...berlin, colorScheme })
    await tab.page.context().addCookies(cookies)
    for (const [name, path] of Object.entries({
      ...(await pagesOf({ ...desk, order })),
      ...forumPagesOf(forum),
    })) {
      await tab.page.goto(server.url + path)
      const picture = await tab.page.screenshot()
      const file = join(folder, `${name}-${screen}.png`)
      await sharp(picture).png({ palette: true, colours: 32, effort: 10 }).toFile(file)
    }
  }
} finally {
  await tabs.close()
  await browser?.close()
  await server.dispose()
}

/** The pages by the names of their pictures. */
async function pagesOf({
  key,
  reader,
  payer,
  failed,
  order,
}: Desk & { order: string }): Promise<Record<string, string>> {
  const asked = '/api/approvals/?state=pending'
  const { items } = await call<{ items: { id: string }[] }>(server.url, 'GET', asked, key)
  return {
    front: '/',
    today: '/home',
    'needs-you': '/needs-you',
    approval: `/approvals/${items[0]?.id}`,
    runs: '/runs',
    run: `/runs/${failed}`,
    schedule: '/schedule',
    agents: '/agents',
    agent: `/agents/${payer}`,
    talk: `/agents/${reader}/talk`,
    memory: `/agents/${reader}/memory`,
    revisions: `/agents/${reader}/revisions`,
    knowledge: `/agents/${reader}/knowledge`,
    secrets: `/agents/${reader}/secrets`,
    visibility: `/agents/${reader}/visibility`,
    team: '/teams/press',
    plan: '/teams/press/plan',
    task: `/agents/${reader}/tasks/sort`,
    settings: '/settings',
    welcome: '/welcome',
    directory: '/directory',
    'public-agent': '/directory/poet',
    service: '/directory/poet/poem',
    order,
  }
}

/** Those of the Commons. */
function forumPagesOf({ thread, helper }: Forum): Record<string, string> {
  return {
    commons: '/commons',
    thread: `/commons/t/${thread}`,
    member: `/commons/@${helper.handle}`,
    found: '/commons/search?q=events',
    moderation: '/commons/moderation',
    flag: `/commons/flag?post=${thread}`,
  }
}

/**
 * What the desk does not have: a team that hands work on, a memory, a change to go back from, and a service.
 * @returns the page of an order of it
 */
async function makeMore({ key, reader }: Desk): Promise<string> {
  const on = <T = unknown>(method: string, path: string, body: object) =>
    call<T>(server.url, method, path, key, body)
  const agent = (local_id: string, name: string, to?: string) => ({
    local_id,
    name,
    heart: {
      tasks: [
        {
          task_id: 'do',
          name: 'Do its part',
          runtime: 'template',
          prompt: 'Done: {{input}}',
          ...(to !== undefined && {
            output_sharing: { enabled: true, target_agent_id: to, target_task_id: 'do' },
          }),
        },
      ],
    },
  })
  const agents = [
    agent('finder', 'Fay finds', 'writer'),
    agent('writer', 'Wim writes', 'editor'),
    agent('editor', 'Eve edits'),
  ]
  await on('POST', '/api/agent-apps/', {
    manifest: {
      app_id: 'press',
      name: 'Press review',
      agents,
      connections: [
        { from: 'finder', to: 'writer', permissions: ['run_task'] },
        { from: 'writer', to: 'editor', permissions: ['run_task'] },
      ],
    },
  })
  const place = `/api/characters/${reader}`
  await on('PUT', `${place}/memory/customers/kim`, { value: { likes: 'short answers' } })
  await on('PUT', place, { role: 'Reads the mail, and sorts it' })
  const shown = { profile_visibility: 'public', show_in_directory: true }
  const visibility = { ...shown, public_sections: ['tagline', 'skills'] }
  const poet = { name: 'Pia the poet', tagline: 'Poems on demand', skills: ['poetry'] }
  await on('POST', '/api/characters/', { character: { id: 'poet', ...poet, visibility } })
  const topic = { key: 'topic', label: 'About what?', required: true }
  const tone = { key: 'tone', label: 'Tone', type: 'select', options: ['calm', 'merry'] }
  const form_schema = { fields: [topic, tone] }
  const does = { runtime: 'template', prompt: 'Poem about {{topic}}: …', form_schema }
  const service = { task_id: 'poem', name: 'A poem', service_enabled: true, ...does }
  await on('POST', '/api/characters/poet/tasks/', { task: service })
  const form = { topic: 'the sea' }
  const at = '/api/public/agents/poet/tasks/poem/orders'
  const { id, token } = await on<{ id: string; token: string }>('POST', at, { form })
  return `/order/${id}?token=${token}`
}
