/**
 * Measures subjects in turns, so that other load on the machine affects all of them equally. The order is reversed every
 * other round, so that the position in a round has no effect.
 */
export async function inTurns<Subject, Result>(given: {
  subjects: readonly Subject[];
  rounds: number;
  measure: (subject: Subject) => Promise<Result>;
}): Promise<Map<Subject, Result[]>> {
  const { subjects, rounds, measure } = given;
  const results = new Map<Subject, Result[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? subjects : [...subjects].reverse();
    for (const subject of order) results.get(subject)?.push(await measure(subject));
  }
  return results;
}
