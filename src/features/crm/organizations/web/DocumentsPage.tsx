import { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import { useParams } from '@tanstack/react-router'
import { organizationDocuments } from '#features/crm/organizations/documents.contract.ts'
import classes from '#features/crm/organizations/web/organizations.module.css'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { FileList } from '#web/files/FileList.tsx'
import { FilesField } from '#web/files/FilesField.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormPage } from '#web/form/FormPage.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'
import { Moment } from '#web/Moment.tsx'
import { useOrganization } from '#web/organization.ts'
import { RecordPage } from '#web/record/RecordPage.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { pageOf } from '#web/record/recordAddress.ts'
import { Panel } from '#web/parts/Panel.tsx'
import { Soft } from '#web/parts/Soft.tsx'

const NewDocuments = z.object({
  file_ids: z.array(z.number()).min(1, 'Choose at least one file.'),
  label: z.string().max(200, 'Use 200 characters or fewer.'),
})
const documentFields = {
  file_ids: { label: 'Files', empty: [] as number[] },
  label: { label: 'Label', empty: '' },
} as const satisfies Fields
type Documents = z.output<(typeof organizationDocuments)['documents']['response']>

/**
 * Page for an organization's documents, including removed ones. Several documents can be added together, with
 * a label.
 */
export function DocumentsPage() {
  const params = useParams({ strict: false }) as { organization_id?: string }
  const id = Number(params.organization_id)
  useOrganization(id)
  return (
    <RecordPage<Documents>
      asked={queryOptionsFor(organizationDocuments.documents, { params: { id } })}
      title="Organization documents"
    >
      {(reply) => <DocumentList key={id} id={id} documents={reply} />}
    </RecordPage>
  )
}

function DocumentList({
  id,
  documents: { data, removed, organization },
}: {
  id: number
  documents: Documents
}) {
  const { announceAct } = useUndo()
  const { send: change } = useSend(organizationDocuments.removeDocument, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const mayChange = useMay(organizationDocuments.removeDocument, { params: { id }, body: { file_id: 1 } })
  const labels = [...new Set(data.map(({ label }) => label))]
  return (
    <>
      <PageHeader
        title={`Documents for ${organization.name}`}
        parents={[
          ['/organizations/all-organizations', 'Organizations'],
          [pageOf('organization', id, organization.name), organization.name],
        ]}
      />
      {mayChange && <AddDocuments id={id} />}
      {data.length === 0 && <Soft>No documents yet.</Soft>}
      {labels.map((label) => (
        <Panel dense key={label} aria-label={label || 'Documents'}>
          <h2>{label || 'Documents'}</h2>
          <FileList
            label={label || 'Documents'}
            files={data.filter((file) => file.label === label)}
            {...(mayChange
              ? {
                  onRemove: (file: { id: number }) =>
                    void change({ params: { id }, body: { file_id: file.id } }),
                }
              : {})}
          />
        </Panel>
      ))}
      {removed.length > 0 && (
        <Panel dense aria-label="Removed documents">
          <h2>Removed documents</h2>
          <ul className={classes.plain}>
            {removed.map((file) => (
              <li key={file.id}>
                {file.name} <Moment at={file.at} />{' '}
                {mayChange && (
                  <LinkButton
                    onClick={() => void change({ params: { id }, body: { file_id: file.id, back: true } })}
                  >
                    Restore {file.name}
                  </LinkButton>
                )}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}

function AddDocuments({ id }: { id: number }) {
  const { announceAct } = useUndo()
  const { send } = useSend(organizationDocuments.addDocuments, { failure: 'throw' })
  const form = useFieldsForm({
    name: `documents-${id}`,
    fields: documentFields,
    schema: NewDocuments,
    onSave: async ({ file_ids, label }) => {
      const reply = await send({ params: { id }, body: { file_ids, label } })
      if (reply) announceAct(reply.message, reply.operation)
      form.discard()
    },
  })
  return (
    <FormPage label="Add documents" form={form} saveLabel="Add documents">
      <FilesField {...form.control('file_ids')} />
      <Field form={form} name="label" />
    </FormPage>
  )
}
