/** An invoice typed as a plain letter. */
export const letter = `Pracownia Ceramiki „Żółty Dzban”
Łucja Święcicka
ul. Źródlana 6, 99-417 Brzózki Małe
NIP: 9876542104

                                            Brzózki Małe, 5 maja 2026 r.

Galeria „Pod Gruszą” sp. z o.o.
ul. Kościelna 12
99-400 Dąbrówka Górna
NIP: 9876542110

FAKTURA nr 7/05/2026
Data wystawienia: 2026-05-05
Data sprzedaży:   2026-04-30
Termin płatności: 2026-05-19

Lp.  Nazwa                          Ilość    Cena netto     Wartość netto
1    Misa kamionkowa, śr. 30 cm      6 szt.     145,00 zł        870,00 zł
2    Dzban szkliwiony „Żółty”        4 szt.     210,50 zł        842,00 zł
3    Kubek z uchem                  24 szt.      38,00 zł        912,00 zł

Razem netto:                                                   2 624,00 zł
VAT 23%:                                                         603,52 zł
DO ZAPŁATY:                                                    3 227,52 zł

Słownie: trzy tysiące dwieście dwadzieścia siedem złotych 52/100

Przelew na konto: PL65 9990 0025 0000 3017 4528 6109
Tytuł przelewu: FAKTURA nr 7/05/2026

Dziękuję za zamówienie i pozdrawiam serdecznie
Łucja Święcicka
`;
