import type { ComponentType } from 'react'
import { TextInput } from '@mantine/core'
import { articleKindRow, type ArticleKindName, type ArticlePart } from '#shared/article-kinds.ts'
import { offeredZones } from '#shared/zones.ts'
import type { When } from '#features/cms/articles/kinds/rules.ts'
import type { ArticleValues } from '#features/cms/articles/shared/web/articleValues.ts'
import { FilesField } from '#web/files/FilesField.tsx'
import { ChoiceField, TextField } from '#web/form/inputs.tsx'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { browserTimeZone } from '#web/time.ts'

/** Form values; only the parts that the kind has are shown. */
export interface KindValues extends ArticleValues, When {
  pdf_ids: number[]
}

type Form = DraftForm<KindValues>

const partFields: Record<ArticlePart, ComponentType<{ form: Form }>> = { time: TimeFields, pdf: PdfField }

/** Fields for the parts that a kind has in addition to the common fields. */
export function KindParts({ kind, form }: { kind: ArticleKindName; form: Form }) {
  return articleKindRow(kind).parts?.map((part) => {
    const Fields = partFields[part]
    return <Fields key={part} form={form} />
  })
}

function TimeFields({ form: { fields } }: { form: Form }) {
  const zones = [...new Set([fields.values.zone, browserTimeZone(), ...offeredZones])].filter(Boolean)
  const moment = (name: 'starts' | 'ends', label: string) => (
    <div data-half>
      <TextInput
        type="datetime-local"
        label={label}
        {...fields.getInputProps(name)}
        data-path={name}
        name={name}
      />
    </div>
  )
  return (
    <>
      {moment('starts', 'Starts')}
      {moment('ends', 'Ends')}
      <div data-half>
        <ChoiceField
          form={fields}
          name="zone"
          label="Time zone"
          options={[
            { value: '', label: 'Choose a time zone' },
            ...zones.map((zone) => ({ value: zone, label: zone })),
          ]}
        />
      </div>
      <div data-half>
        <TextField form={fields} name="place" label="Location or link" maxLength={500} />
      </div>
    </>
  )
}

function PdfField({ form: { fields } }: { form: Form }) {
  return (
    <FilesField
      label="PDF"
      most={1}
      kinds={['document']}
      description="A new file replaces the old one. The URL stays the same."
      {...fields.getInputProps('pdf_ids')}
    />
  )
}
