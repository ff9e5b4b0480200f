import { textFields, type RecordSamples, type Samples } from '#app/testing/samples.testing.ts'

/** Fields that don't accept free text: HTML and email addresses. */
export const notFree = /^(body\.)?(message|emails\.\d+)$/

export const samples: Samples = {
  'POST /admin/users/send-notification-all': () => ({
    input: { subject: 'News', message: '<p>Hello</p>', draft: 1 },
  }),
  'PUT /admin/users/notification/{id}': async ({ started }) => {
    const { id } = await started.db
      .insertInto('notifications')
      .values({ subject: 'News' })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { input: {}, params: { id: String(id) } }
  },
}

export const records: RecordSamples = {
  notification: textFields('subject', 'message'),
}
