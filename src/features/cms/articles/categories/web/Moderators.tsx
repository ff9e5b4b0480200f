import { useState } from 'react'
import { MultiSelect } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { useQuery } from '@tanstack/react-query'
import { categories, Moderation } from '#features/cms/articles/categories/contract.ts'
import type { faqCategories } from '#features/cms/articles/faq-categories/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { FormModal } from '#web/form/FormModal.tsx'
import { LoadedInModal } from '#web/form/LoadedInModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { useStaff } from '#web/filter/useOptions.ts'
import { toast } from '#web/message/toast.ts'

type Calls = Pick<typeof categories | typeof faqCategories, 'moderators' | 'setModerators' | 'list'>

interface Props {
  category: { id: number; title: string; product_id?: number }
  onClose: () => void
  /** Endpoints to use for FAQ categories; defaults to those for post categories. */
  calls?: Calls
  /** The type of records that the category contains. */
  of?: string
}

/** Form for a category's moderators, who can publish its content and move it to the trash. */
export default function Moderators(props: Props) {
  const { calls = categories } = props
  const query = useQuery(queryOptionsFor(calls.moderators, { params: { id: String(props.category.id) } }))
  return (
    <LoadedInModal query={query} title={`Moderators of ${props.category.title}`} onClose={props.onClose}>
      {({ data }) => <ModeratorsForm {...props} stored={data.map(({ id }) => id)} />}
    </LoadedInModal>
  )
}

function ModeratorsForm({
  category,
  onClose,
  stored,
  calls = categories,
  of = 'posts',
}: Props & { stored: readonly number[] }) {
  const staff = useStaff(category.product_id)
  const [isOpen, setOpen] = useState(false)
  const params = { id: String(category.id) }
  const { send } = useSend(calls.setModerators, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(calls.setModerators, { params, body: { staff_ids: [] } })
  const toSend = ({ staff_ids }: { staff_ids: string[] }) => ({ staff_ids: staff_ids.map(Number) })
  const form = useDraftForm({
    name: `${of}-moderators-${category.id}`,
    initial: { staff_ids: stored.map(String) },
    schema: Moderation,
    toSend,
    onSave: async (values) => {
      const reply = await send({ params, body: toSend(values) })
      if (reply) toast.success(reply.message)
    },
    onSaved: onClose,
  })
  return (
    <FormModal
      title={`Moderators of ${category.title}`}
      form={form}
      onClose={onClose}
      whyNotSave={whyNotSave}
    >
      <MultiSelect
        label="Moderators"
        description={`Moderators can edit this category, publish its ${of}, ${of === 'posts' ? 'move them to trash, and moderate their comments' : 'and move them to trash'}.`}
        data={staff.map(({ id, name }) => ({ value: String(id), label: name }))}
        searchable
        data-autofocus
        openOnFocus={false}
        dropdownOpened={isOpen}
        onDropdownOpen={() => setOpen(true)}
        onDropdownClose={() => setOpen(false)}
        // Otherwise the list stays open over the Save button.
        onOptionSubmit={() => setOpen(false)}
        {...form.fields.getInputProps('staff_ids')}
      />
    </FormModal>
  )
}
