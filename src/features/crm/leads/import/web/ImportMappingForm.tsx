import { useState } from 'react'
import { Alert, Button, NativeSelect } from '@mantine/core'
import { leadImports, type Import } from '#features/crm/leads/import/contract.ts'
import { isCustomTarget, type ImportMapping } from '#features/crm/leads/import/mapping.contract.ts'
import { ForAll } from '#features/crm/leads/import/web/ForAll.tsx'
import { SkippedColumns } from '#features/crm/leads/import/web/ImportNotices.tsx'
import { TargetCell, type CellProps } from '#features/crm/leads/import/web/TargetCell.tsx'
import { leadTypes } from '#features/crm/leads/rules.ts'
import classes from '#features/crm/leads/import/web/import.module.css'
import { ApiError, errorMessageOf } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { useMyProducts } from '#web/session.ts'
import { Panel } from '#web/parts/Panel.tsx'
import { Soft } from '#web/parts/Soft.tsx'

/**
 * Form for mapping columns. The server guesses the mapping, and the user can correct it. A column is skipped
 * only if the user chooses to.
 */
export function ImportMappingForm({ current, onChecked }: { current: Import; onChecked: () => void }) {
  const products = useMyProducts()
  const [mapping, setMapping] = useState<ImportMapping>(current.mapping)
  const [failure, setFailure] = useState<string>()
  const { send, sending } = useSend(leadImports.check, {
    failure: 'throw',
  })

  async function check(): Promise<void> {
    setFailure(undefined)
    try {
      const for_all = mapping.for_all?.filter(({ value }) => value.trim() !== '')
      await send({ params: { id: current.id }, body: { ...mapping, ...(for_all ? { for_all } : {}) } })
      onChecked()
    } catch (error) {
      setFailure(
        error instanceof ApiError && error.errors
          ? Object.values(error.errors).flat().join(' ')
          : errorMessageOf(error),
      )
    }
  }

  return (
    <Panel aria-label="Columns">
      <h2>2. Map columns</h2>
      <Soft>
        {current.file_name} has {current.row_count.toLocaleString()} rows. Columns that don’t match a lead
        field are kept as imported details, exactly as they are. {readingOf(current)}
      </Soft>
      <div className={classes.choices}>
        <NativeSelect
          label="Product"
          value={String(mapping.lead_for)}
          data={products.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={(event) => setMapping(ofProduct(mapping, Number(event.currentTarget.value)))}
        />
        <NativeSelect
          label="Type"
          value={String(mapping.lead_type)}
          data={Object.entries(leadTypes).map(([value, label]) => ({ value, label }))}
          onChange={(event) =>
            setMapping({ ...mapping, lead_type: Number(event.currentTarget.value) as 1 | 2 })
          }
        />
      </div>
      <ColumnsTable current={current} mapping={mapping} onChange={setMapping} />
      <SkippedColumns headers={current.headers} mapping={mapping} />
      <ForAll mapping={mapping} onChange={setMapping} />
      {failure && (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
      <div>
        <Button loading={sending} onClick={() => void check()}>
          Preview import
        </Button>
      </div>
    </Panel>
  )
}

/** Returns the mapping for another product, which has other custom fields. */
const ofProduct = (mapping: ImportMapping, lead_for: number): ImportMapping => ({
  ...mapping,
  lead_for,
  columns: mapping.columns.map((target) => (isCustomTarget(target) ? 'detail' : target)),
  ...(mapping.for_all ? { for_all: mapping.for_all.filter(({ field }) => !isCustomTarget(field)) } : {}),
  ...(mapping.words ? { words: mapping.words.filter(({ field }) => !isCustomTarget(field)) } : {}),
})

/** Returns how a file was read, if that isn't evident. */
const readingOf = ({ read_as }: Import): string =>
  read_as === 'Excel'
    ? 'Only the first sheet was read.'
    : read_as === 'Windows-1252'
      ? 'The file was read as Windows-1252. If letters such as é look wrong below, save it as “CSV UTF-8” and upload it again.'
      : ''

function ColumnsTable({ current, mapping, onChange }: Omit<CellProps, 'position' | 'header'>) {
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label="File columns">
      <table className={`${classes.plainTable} ${classes.mapping}`}>
        <thead>
          <tr>
            <th scope="col">File column</th>
            <th scope="col">Lead field</th>
            <th scope="col">Sample values</th>
          </tr>
        </thead>
        <tbody>
          {current.headers.map((name, position) => {
            const header = name || `Column ${position + 1}`
            return (
              <tr key={`${position}-${name}`}>
                <th scope="row">{header}</th>
                <td>
                  <TargetCell {...{ current, mapping, position, header, onChange }} />
                </td>
                <td className={classes.sample}>
                  {current.sample
                    .map((row) => row[position])
                    .filter(Boolean)
                    .slice(0, 3)
                    .join(' · ')}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
