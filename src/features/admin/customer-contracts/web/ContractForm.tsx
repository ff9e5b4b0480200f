import { Button } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import {
  ContractChange,
  contracts,
  NewContract,
  type Contract,
} from '#features/admin/customer-contracts/contract.ts'
import { contractFields } from '#features/admin/customer-contracts/fields.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { FormPage } from '#web/form/FormPage.tsx'
import { OrganizationField } from '#web/form/OrganizationField.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'
import { useRecordForm } from '#web/form/useRecordForm.tsx'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { asChoices, useLists } from '#web/filter/useOptions.ts'
import { byId, withWords, type RecordFields } from '#web/record/fieldWords.ts'
import { RecordLayout, RecordPage } from '#web/record/RecordPage.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { Timeline } from '#web/record/Timeline.tsx'
import { useRemove } from '#web/record/useRemove.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'

const list = '/customer-contracts'
const parents = [[list, 'Customer contracts']] as const
/** Refetched after a contract has changed. */

export function NewContractPage() {
  const navigate = useNavigate()
  const { send } = useSend(contracts.create, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(contracts.create, { body: { title: '' } })
  const form = useRecordForm({
    name: 'contract-new',
    fields: contractFields,
    schema: NewContract,
    create: (body) => send({ body }),
    onSaved: () => void navigate({ to: list }),
  })
  return (
    <>
      <PageHeader parents={parents} />
      <FormPage
        label="New contract"
        isNew
        form={form}
        whyNotSave={whyNotSave}
        saveLabel="Create contract"
        onCancel={() => void navigate({ to: list })}
      >
        <ContractInputs form={form} />
      </FormPage>
    </>
  )
}

/** Page for editing the contract identified by the URL, with its timeline beside the form. */
export function ContractPage() {
  const { contract } = useParams({ strict: false }) as { contract?: string }
  const id = Number(contract)
  return (
    <RecordPage<{ data: Contract }>
      asked={queryOptionsFor(contracts.show, { params: { id } })}
      title="Edit contract"
      kept={({ data }) => ({ type: 'contract', id: data.id })}
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
  const { send } = useSend(contracts.update, { failure: 'throw' })
  const form = useRecordForm({
    name: `contract-${contract.id}`,
    fields: contractFields,
    schema: ContractChange,
    record: contract,
    title: contract.title,
    words,
    update: (body) => send({ params: { id: contract.id }, body }),
  })
  const { mayRemove, remove } = useRemove('contract', {
    onDone: () => void navigate({ to: list }),
  })
  const whyNotSave = useWhyNotSave(contracts.update, { params: { id: contract.id }, body: {} })
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
          <ContractInputs form={form} />
        </FormPage>
      </RecordLayout>
    </>
  )
}

function ContractInputs({ form }: { form: FieldsForm<typeof contractFields> }) {
  const { contract_statuses } = useLists('contract_statuses')
  return (
    <>
      <Field form={form} name="title" />
      <Field form={form} name="due_date" half />
      <Field form={form} name="status" half options={asChoices(contract_statuses)} />
      <OrganizationField {...form.at('organization_id')} fixed={[{ value: '', label: 'None' }]} />
      <Field form={form} name="content" />
      <Field form={form} name="file_ids" />
    </>
  )
}
