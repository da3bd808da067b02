/** Something to be done later. One of `at` and `cron`. */
export interface Appointment {
  /** What is to be done, as the person would say it then. */
  readonly what: string;
  /** Milliseconds since the epoch. */
  readonly at?: number;
  /** Five fields, in the time zone of the run. */
  readonly cron?: string;
  /** The same when the same turn is run again. */
  readonly key: string;
}

/** Where a run schedules things for the person whom it answers. All resolve with what the model is told. */
export interface Scheduler {
  /** @throws AntlerError with what to do otherwise. */
  schedule(appointment: Appointment): Promise<string>;
  list(): Promise<string>;
  /** By the number that {@link list} shows. @throws AntlerError `not_found`, `forbidden`. */
  remove(number: number): Promise<string>;
}
