type Entry = readonly [name: string, street: string, town: string];

/** Invented companies. The last two of each language are only buyers. */
const parties = {
  en: [
    ['Marlowe & Finch Ltd', '18 Cooper Street', 'Leeds LS2 7QA'],
    ['Tidewater Logistics Limited', 'Unit 9, Dock Road', 'Hull HU3 4BX'],
    ['Greenacre Landscapes', '4 Orchard Way', 'Exeter EX4 2PL'],
    ['Northgate Print LLP', '221 Station Parade', 'York YO1 6HG'],
    ['St Bride’s Primary School', 'Chapel Lane', 'Bath BA2 3RN'],
    ['Harriet Dunmore', '7 Ferry Terrace', 'Truro TR1 2EH'],
  ],
  de: [
    ['Ofenbau Reinecke GmbH', 'Ziegeleiweg 12', '48149 Münster'],
    ['Hartwig Medientechnik GmbH & Co. KG', 'Industriestraße 7', '90431 Nürnberg'],
    ['Gärtnerei Petersen e.K.', 'Deichstraße 33', '25746 Heide'],
    ['Kanzlei Brandt & Voss', 'Am Wall 101', '28195 Bremen'],
    ['Stadtwerke Lindenau', 'Rathausplatz 1', '04177 Leipzig'],
    ['Familie Holger Thiele', 'Buchenring 5', '38518 Gifhorn'],
  ],
  fr: [
    ['Menuiserie Duvallon SARL', '14 rue des Tanneurs', '67000 Strasbourg'],
    ['Atelier Bellerive SAS', '3 quai de la Fosse', '44000 Nantes'],
    ['Transports Rocamadour', '27 avenue Jean Moulin', '46200 Souillac'],
    ['Cabinet Lestrade & Associés', '9 place Bellecour', '69002 Lyon'],
    ['Mairie de Saint-Aubin', '1 place de l’Église', '49190 Saint-Aubin'],
    ['Mme Claire Vasseur', '52 rue de la Paix', '59000 Lille'],
  ],
  es: [
    ['Carpintería Olmedo S.L.', 'Calle Mayor 45', '28013 Madrid'],
    ['Suministros Costa Brava S.A.', 'Polígono Sud, nave 12', '17200 Palafrugell'],
    ['Estudio Peñarroya', 'Avenida de la Luz 8', '46002 Valencia'],
    ['Talleres Ugarte S.L.U.', 'Gran Vía 71', '48011 Bilbao'],
    ['Colegio San Isidro', 'Plaza del Sol 2', '41004 Sevilla'],
    ['Lucía Ferrer Blasco', 'Calle Nueva 19', '50001 Zaragoza'],
  ],
  it: [
    ['Falegnameria Bresciani S.r.l.', 'Via Garibaldi 22', '25121 Brescia'],
    ['Tipografia Montefiore S.p.A.', 'Corso Italia 104', '10129 Torino'],
    ['Studio Tecnico Lombardi', 'Via dei Mille 6', '56126 Pisa'],
    ['Officine Castelnuovo S.n.c.', 'Viale Europa 15', '37135 Verona'],
    ['Comune di Roccaverde', 'Piazza Duomo 1', '64100 Teramo'],
    ['Giulia Marchetti', 'Via Roma 88', '40121 Bologna'],
  ],
  nl: [
    ['Timmerbedrijf Hoekstra B.V.', 'Havenkade 14', '8911 BC Leeuwarden'],
    ['Van Rijn Installatietechniek B.V.', 'Industrieweg 60', '3044 AT Rotterdam'],
    ['Bakkerij De Korenaar', 'Molenstraat 3', '5611 EA Eindhoven'],
    ['Drukkerij Vermeer V.O.F.', 'Singel 210', '1016 AB Amsterdam'],
    ['Basisschool De Vlinder', 'Kerkplein 9', '6811 EB Arnhem'],
    ['Mevrouw A. de Wit', 'Lindelaan 27', '7411 LK Deventer'],
  ],
  pt: [
    ['Carpintaria Vilarinho, Lda.', 'Rua das Flores 31', '4050-265 Porto'],
    ['Gráfica Ribatejo, S.A.', 'Zona Industrial, lote 8', '2005-332 Santarém'],
    ['Oficina Montalegre', 'Avenida Central 12', '4700-228 Braga'],
    ['Transportes Alvorada, Lda.', 'Rua do Sol 77', '8000-139 Faro'],
    ['Junta de Freguesia de Almoster', 'Largo da Igreja 2', '3100-015 Pombal'],
    ['Inês Carvalho Moura', 'Rua Nova 5', '3000-111 Coimbra'],
  ],
  pl: [
    ['Stolarnia Wierzba Sp. z o.o.', 'ul. Leśna 18', '30-019 Kraków'],
    ['Drukarnia Nadwiślańska S.A.', 'ul. Przemysłowa 4', '87-100 Toruń'],
    ['Warsztat Kowalczyk', 'ul. Polna 52', '60-535 Poznań'],
    ['Transport Bursztyn Sp. z o.o.', 'ul. Portowa 9', '81-350 Gdynia'],
    ['Szkoła Podstawowa nr 12', 'ul. Szkolna 1', '20-124 Lublin'],
    ['Anna Zielińska', 'ul. Ogrodowa 33', '90-062 Łódź'],
  ],
  sv: [
    ['Snickeri Ekholm AB', 'Verkstadsgatan 6', '753 23 Uppsala'],
    ['Västkustens Tryckeri AB', 'Hamngatan 41', '411 06 Göteborg'],
    ['Lindqvist Trädgård', 'Björkvägen 12', '903 25 Umeå'],
    ['Norrbygg Handelsbolag', 'Industrivägen 3', '972 41 Luleå'],
    ['Sjöängens Förskola', 'Skolgatan 8', '553 20 Jönköping'],
    ['Karin Öberg', 'Ringvägen 70', '118 60 Stockholm'],
  ],
} as const satisfies Record<string, readonly Entry[]>;

export type Language = keyof typeof parties;

export const sellers = 4;

export function partiesOf(language: Language): readonly Entry[] {
  return parties[language];
}
