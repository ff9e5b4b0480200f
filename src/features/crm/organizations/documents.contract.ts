import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { fileIds, recordFile } from '#shared/files.ts'
import { ActReply } from '#shared/record.contract.ts'
import { instant, recordId, text } from '#shared/schemas.ts'
import { sizeInBytes } from '#shared/sizes.ts'

const params = z.object({ id: recordId })

export const organizationDocuments = {
  documents: endpoint({
    method: 'GET',
    path: '/admin/organization/{id}/documents',
    shows: ['organization'],
    summary: 'List an organization’s documents, including removed ones.',
    access: 'all_organization_list',
    params,
    response: z.object({
      data: z.array(recordFile),
      removed: z.array(z.object({ id: z.number().int(), name: z.string(), at: instant })),
      organization: z.object({ id: z.number().int(), name: z.string() }),
    }),
  }),
  addDocuments: endpoint({
    method: 'POST',
    path: '/admin/organization/{id}/documents',
    summary: 'Add documents to an organization, optionally with a label.',
    act: 'Added documents',
    access: 'all_organization_note',
    params,
    files: { attachment: { most: 10, maxBytes: sizeInBytes('10M') } },
    body: z.object({ file_ids: fileIds.optional(), label: text(200).default('') }),
    response: ActReply,
  }),
  removeDocument: endpoint({
    method: 'POST',
    path: '/admin/organization/{id}/documents/remove',
    summary: 'Remove or restore a document.',
    act: 'Changed documents',
    access: 'all_organization_note',
    params,
    body: z.object({ file_id: recordId, back: z.boolean().default(false) }),
    response: ActReply,
  }),
}
