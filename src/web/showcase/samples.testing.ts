/* Data that several samples share. */

/** A name as long as real names get, without and with spaces. */
export const longName =
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft & Sons Laundry Holding'
export const longTitle =
  'Scanner at the clean side reads every second towel twice since the update of last Tuesday, and the counts of three hotels are wrong'

/** Returns the moment some hours before now. */
export const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString()
