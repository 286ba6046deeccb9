import { describe, expect, it } from 'vitest'
import { ConfigFaults, readConfig } from '#adapters/config/read.ts'

describe('where backups are kept', () => {
  it.each([
    ['s3://kept', { bucket: 'kept', prefix: '' }],
    ['s3://kept/of/abode/', { bucket: 'kept', prefix: 'of/abode/' }],
    ['/srv/kept', { folder: '/srv/kept' }],
  ])('is read: %s', (text, to) => {
    const { backup } = readConfig({ ABODE_BACKUP: text, ABODE_BACKUP_HOURS: '6' })
    expect(backup).toEqual({ to, hours: 6, keep: 7 })
  })

  it.each([
    { ABODE_BACKUP: 's3://No_Bucket' },
    { ABODE_BACKUP: 'https://example.org/kept' },
    {
      ABODE_BACKUP: '/srv/kept',
      MONGODB_URI: 'mongodb://h',
      ABODE_MASTER_KEY: '07'.repeat(32),
    },
    { ABODE_BACKUP_HOURS: '0' },
    { ABODE_BACKUP_KEEP: '0' },
    { AWS_ACCESS_KEY_ID: 'x' },
    { AWS_ENDPOINT_URL_S3: 'minio:9000' },
  ])('is a fault: %j', (env) => {
    try {
      readConfig(env)
      expect.unreachable()
    } catch (cause) {
      expect(cause).toBeInstanceOf(ConfigFaults)
      const { faults } = cause as ConfigFaults
      expect(faults).toEqual([expect.stringMatching(/^(?:ABODE_BACKUP|AWS_)/)])
    }
  })
})
