import { crc32 } from 'node:zlib'

/** The beginning of a PNG that says how large it is, and has next to no pixels. */
export function pictureOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length, 0)
    ends.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', Buffer.from('789c03000000000001', 'hex')),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The file of a picture that is one pixel wide and as high as memory is large, for a call of JSON. */
export function tallPicture(): { filename: string; media_type: string; data: string } {
  const data = pictureOf(1, 24_000_000).toString('base64')
  return { filename: 'a.png', media_type: 'image/png', data }
}

/** Tasks whose schedules come so often together that they are dear to play. */
export function busySchedules(): object[] {
  const triggers = Array.from({ length: 50 }, (_, i) => {
    return { type: 'cron', config: { cron: `${i} * * * *` } }
  })
  return Array.from({ length: 200 }, (_, i) => ({ task_id: `t${i}`, name: 'T', triggers }))
}

/** A template of names that never end, each with blanks without number. */
export function blankTemplate(): object {
  const prompt = `{{a${' '.repeat(300)}`.repeat(3000)
  return { task_id: 't', name: 'T', runtime: 'template', prompt }
}

/** Tasks that one action `flood` starts together, and that wait for an address which answers late. */
export function slowTasks(origin: string, count: number): object[] {
  const trigger = { type: 'action', enabled: true, config: { name: 'flood' } }
  return Array.from({ length: count }, (_, i) => ({
    task_id: `t${i}`,
    name: `T${i}`,
    runtime: 'api',
    api_url: `${origin}/`,
    triggers: [trigger],
  }))
}

/** Tasks that hold as much as those of one agent may, in as many values as one of them may have; one has a webhook. */
export function ladenTasks(): object[] {
  const digits = Array.from({ length: 75_000 }, (_, i) => i % 10)
  const triggers = [{ type: 'webhook', config: { path: 'open' } }]
  return Array.from({ length: 3 }, (_, i) => ({
    task_id: `laden${i}`,
    name: 'Laden',
    x_values: [digits, digits],
    triggers: i === 0 ? triggers : [],
  }))
}

/** Tasks that hold as much text as those of one agent may, in letters of three bytes each. */
export function wideTasks(): object[] {
  const prompt = '漢'.repeat(50_000)
  return Array.from({ length: 6 }, (_, i) => ({ task_id: `wide${i}`, name: 'Wide', prompt }))
}
