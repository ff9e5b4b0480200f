import { Button } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import {
  Contract,
  ContractChange,
  contracts,
  NewContract,
} from '#features/admin/customer-contracts/contract.ts'
import { contractFields } from '#features/admin/customer-contracts/fields.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { ChoiceField, DayField, TextField } from '#web/form/inputs.tsx'
import { OrganizationField } from '#web/form/OrganizationField.tsx'
import { FormPage } from '#web/form/FormPage.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useRecordSnapshot } from '#web/form/useRecordSnapshot.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { FilesField } from '#web/files/FilesField.tsx'
import { RichTextField } from '#web/richtext/RichTextField.tsx'
import { asChoices, useLists } from '#web/filter/useOptions.ts'
import { useChanged } from '#web/live.ts'
import { byId, withWords, type RecordFields } from '#web/record/fieldWords.ts'
import { RecordLayout, RecordPage } from '#web/record/RecordPage.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { Timeline } from '#web/record/Timeline.tsx'
import { changesBetween, useMerged } from '#web/record/useMerged.tsx'
import { useRemove } from '#web/record/useRemove.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { toast } from '#web/message/toast.ts'

const list = '/customer-contracts'
const parents = [[list, 'Customer contracts']] as const

const valuesOf = ({ title, due_date, status, organization_id, content, files }: Contract) => ({
  title,
  due_date: due_date ?? '',
  status: String(status),
  organization_id: String(organization_id ?? ''),
  content,
  file_ids: files.map(({ id }) => id),
})
type Values = ReturnType<typeof valuesOf>
const empty: Values = { title: '', due_date: '', status: '1', organization_id: '', content: '', file_ids: [] }
const toSend = ({ title, due_date, status, organization_id, content, file_ids }: Values) => ({
  title,
  due_date: due_date || null,
  status: Number(status),
  organization_id: Number(organization_id) || null,
  content,
  file_ids,
})

export function NewContractPage() {
  const navigate = useNavigate()
  const { send } = useSend(contracts.create, { refresh: [contracts.list], failure: 'throw' })
  const whyNotSave = useWhyNotSave(contracts.create, { body: { title: '' } })
  const form = useDraftForm({
    name: 'contract-new',
    initial: empty,
    schema: NewContract,
    toSend,
    onSave: async (values) => {
      const reply = await send({ body: toSend(values) })
      if (reply) toast.success(reply.message)
    },
    onSaved: () => void navigate({ to: list }),
  })
  return (
    <>
      <PageHeader parents={parents} />
      <FormPage
        label="New contract"
        form={form}
        whyNotSave={whyNotSave}
        saveLabel="Create contract"
        onCancel={() => void navigate({ to: list })}
      >
        <Fields form={form} />
      </FormPage>
    </>
  )
}

/** Page for editing the contract identified by the URL, with its timeline beside the form. */
export function ContractPage() {
  const { contract } = useParams({ strict: false }) as { contract?: string }
  const id = Number(contract)
  useChanged('contract', [contracts.show])
  return (
    <RecordPage<{ data: Contract }>
      asked={queryOptionsFor(contracts.show, { params: { id } })}
      title="Edit contract"
    >
      {({ data }) => <EditContract key={data.id} contract={data} />}
    </RecordPage>
  )
}

function EditContract({ contract }: { contract: Contract }) {
  const navigate = useNavigate()
  const { contract_statuses } = useLists('contract_statuses')
  const words: RecordFields = withWords(contractFields, {
    status: byId(contract_statuses),
    organization_id: () => contract.organization ?? 'a different organization',
  })
  const { send } = useSend(contracts.update, { refresh: [contracts.list, contracts.show], failure: 'throw' })
  const { record, stored, newer } = useRecordSnapshot(contract, valuesOf)
  const { save, dialog } = useMerged<Partial<ReturnType<typeof toSend>>>(
    { ...toSend(stored), ...record },
    contract.title,
    words,
  )
  const { announceAct } = useUndo([contracts.list, contracts.show])
  const { mayRemove, remove } = useRemove('contract', {
    refresh: [contracts.list],
    onDone: () => void navigate({ to: list }),
  })
  const whyNotSave = useWhyNotSave(contracts.update, { params: { id: contract.id }, body: {} })
  const form = useDraftForm({
    name: `contract-${contract.id}`,
    initial: stored,
    newer,
    schema: ContractChange,
    toSend,
    onSave: async (values) => {
      await save(
        changesBetween(toSend(stored), toSend(values)),
        async (left, seen) => {
          const reply = await send({ params: { id: contract.id }, body: { ...left, ...seen } })
          if (reply) announceAct(reply.message, reply.operation)
        },
        form.outdated,
      )
    },
  })
  return (
    <>
      <RecordHeader type="contract" id={contract.id} title={contract.title} parents={parents}>
        {mayRemove && (
          <Button size="xs" variant="default" onClick={() => remove([contract.id])}>
            Move to trash
          </Button>
        )}
      </RecordHeader>
      <RecordLayout timeline={<Timeline type="contract" id={contract.id} fields={words} />}>
        <FormPage
          label={`Edit ${contract.title}`}
          form={form}
          whyNotSave={whyNotSave}
          onCancel={() => void navigate({ to: list })}
        >
          <Fields form={form} />
        </FormPage>
        {dialog}
      </RecordLayout>
    </>
  )
}

function Fields({ form: { fields } }: { form: DraftForm<Values> }) {
  const { contract_statuses } = useLists('contract_statuses')
  return (
    <>
      <TextField
        form={fields}
        name="title"
        label={contractFields.title.label}
        required
        autoFocus
        maxLength={200}
      />
      <div data-half>
        <DayField form={fields} name="due_date" label={contractFields.due_date.label} />
      </div>
      <div data-half>
        <ChoiceField
          form={fields}
          name="status"
          label={contractFields.status.label}
          options={asChoices(contract_statuses)}
        />
      </div>
      <OrganizationField
        form={fields}
        name="organization_id"
        label={contractFields.organization_id.label}
        fixed={[{ value: '', label: 'None' }]}
      />
      <RichTextField label={contractFields.content.label} {...fields.getInputProps('content')} />
      <FilesField label={contractFields.file_ids.label} {...fields.getInputProps('file_ids')} />
    </>
  )
}
